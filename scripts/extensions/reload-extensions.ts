// npm run extensions:reload: makes the running server reload its extensions, and reports the outcome.
import { ExtensionList } from "@/lib/schema/extension";
import { callServer, findServer } from "../server-api";

async function reload(): Promise<void> {
  const { extensions } = ExtensionList.parse(await callServer(findServer())("POST", "/api/extensions/reload"));
  for (const { file, kind, name, hash, error } of extensions) {
    if (!error) process.stdout.write(`${file}  ${kind} ${name}  ${hash}\n`);
    else process.stdout.write(`${file}${error.line === null ? "" : `:${error.line}`}  failed: ${error.message}\n`);
  }
  if (extensions.length === 0) process.stdout.write("The extensions folder is empty.\n");
  if (extensions.some(({ error }) => error)) process.exitCode = 1;
}

await reload().catch((error: unknown) => {
  process.stderr.write(`Nothing was loaded: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
