// npm run extensions:reload: has the running server load its extensions again, and says what came of it.
import { z } from "zod";
import { ExtensionList } from "@/lib/schema/extension";
import { commandEnvironment } from "../command-environment";

const Failure = z.object({ error: z.object({ message: z.string() }) });

const ANY = ["0.0.0.0", "::"];

/** Where the server listens, as its own variables say. */
function serverAddress(host: string, port: number): string {
  const name = ANY.includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

async function reload(address: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(`${address}/api/extensions/reload`, { method: "POST", headers });
  const body: unknown = await reply.json().catch(() => null);
  if (!reply.ok) {
    const failure = Failure.safeParse(body);
    return fail(failure.success ? failure.data.error.message : `The server answered ${reply.status}.`);
  }
  const { extensions } = ExtensionList.parse(body);
  for (const { file, kind, name, hash, error } of extensions) {
    if (!error) process.stdout.write(`${file}  ${kind} ${name}  ${hash}\n`);
    else process.stdout.write(`${file}${error.line === null ? "" : `:${error.line}`}  failed: ${error.message}\n`);
  }
  if (extensions.length === 0) process.stdout.write("The extensions folder is empty.\n");
  if (extensions.some(({ error }) => error)) process.exitCode = 1;
}

function fail(sentence: string): void {
  process.stderr.write(`Nothing was loaded: ${sentence}\n`);
  process.exitCode = 1;
}

const { host, port, adminApiKey } = commandEnvironment();
const address = serverAddress(host, port);
const key = process.env.RINGMASTER_API_KEY ?? adminApiKey;
if (!key) {
  fail(
    "set RINGMASTER_API_KEY to the key of an administrator (Admin, API keys), or press Reload at /admin/extensions.",
  );
} else {
  await reload(address, key).catch(() => fail(`no server answers at ${address}. Start it with npm start.`));
}
