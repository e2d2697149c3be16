import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../scripts/free-port";
import { residentMegabytes } from "../../scripts/testing/resident-memory";
import { startRelease, stopServer, untilAnswered } from "../memory/released-server";

/** What is started to rest, and how it is brought to its first request. */
interface Resting {
  readonly name: string;
  start(): Promise<ChildProcess>;
}

/** Starts all, lets them rest for so long, and returns what each has in RAM, in MB of a million bytes. */
export async function measureRest(resting: readonly Resting[], seconds: number): Promise<Map<string, number>> {
  const started: { name: string; child: ChildProcess }[] = [];
  try {
    for (const { name, start } of resting) started.push({ name, child: await start() });
    await sleep(seconds * 1_000);
    return new Map(started.map(({ name, child }) => [name, residentMegabytes(child.pid ?? 0)]));
  } finally {
    await Promise.all(started.map(({ child }) => stopServer(child)));
  }
}

const PERSON = { email: "ada@example.org", password: "a-long-bench-password" };

/** Starts the packed release in `folder`, signs a person in and loads their first page. */
export async function restingRelease(folder: string): Promise<ChildProcess> {
  const admin = { RINGMASTER_ADMIN_EMAIL: PERSON.email, RINGMASTER_ADMIN_PASSWORD: PERSON.password };
  const { server, url } = await startRelease(folder, admin);
  const reply = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(PERSON),
  });
  const cookie = reply.headers.getSetCookie().map((one) => one.split(";", 1)[0]);
  await readPage(`${url}/`, { cookie: cookie.join("; ") });
  return server;
}

/** Mastra's server as `mastra build --studio` made it, storing by LibSQL, after one page of its studio. */
export async function restingMastra(output: string): Promise<ChildProcess> {
  const port = await freePort();
  const env = {
    ...{ NODE_ENV: "production" as const, PATH: process.env.PATH, HOME: output, MASTRA_TELEMETRY_DISABLED: "1" },
    ...{ PORT: String(port), MASTRA_HOST: "127.0.0.1", MASTRA_STUDIO_PATH: path.join(output, "studio") },
    ...{ BENCH_DATABASE: `file:${path.join(output, "rest.db")}`, BENCH_MODEL_URL: "http://127.0.0.1:9" },
  };
  const server = spawn(process.execPath, [path.join(output, "index.mjs")], { cwd: output, env, stdio: "ignore" });
  await untilAnswered(server, `http://127.0.0.1:${port}/api/agents`);
  await readPage(`http://127.0.0.1:${port}/`);
  return server;
}

/** A Node process that has loaded the loop in the folder; these come without a server. */
export async function restingLoop(place: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("./loaded-loop.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, path.join(place, "loop.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

async function readPage(address: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const reply = await fetch(address, { headers, redirect: "error" });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
}
