// A separate production server for journeys and pictures: an empty data directory, a free port, no provider key.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port";
import { projectDirectory } from "../project-directory";

const START_TIMEOUT_MS = 180_000;
const EXIT_TIMEOUT_MS = 12_000;

export interface TestServer {
  readonly url: string;
  readonly dataDirectory: string;
  /** Everything it has printed since its last start. */
  readonly output: () => string;
  /** kill -9. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same data and port. */
  readonly restart: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/**
 * Starts `npm start`'s server with `environment` and nothing of the person's own: a provider key there would make the
 * journeys cost money. Its output goes to `outputFile` if given.
 */
export async function startTestServer(
  environment: Readonly<Record<string, string>> = {},
  outputFile?: string,
): Promise<TestServer> {
  const data = mkdtempSync(path.join(tmpdir(), "ringmaster-server-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = { ...environment, PORT: String(port), RINGMASTER_DATA_DIR: data };
  const launch = () => (outputFile === undefined ? spawnServer(variables) : spawnWriting(variables, outputFile));
  let running = launch();
  try {
    await waitUntilHealthy(url, running);
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    dataDirectory: data,
    output: () => running.output(),
    kill: () => end(running.child, "SIGKILL"),
    async restart() {
      running = launch();
      await waitUntilHealthy(url, running);
    },
    async stop() {
      await end(running.child, "SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const START = path.join(projectDirectory, "scripts/start.mjs");

function spawnServer(variables: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [START], { ...surroundings(variables), stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString("utf8") };
}

function spawnWriting(variables: Readonly<Record<string, string>>, file: string): Running {
  const log = openSync(file, "a");
  const begin = readFileSync(file).length;
  const child = spawn(process.execPath, [START], { ...surroundings(variables), stdio: ["ignore", log, log] });
  closeSync(log);
  return { child, output: () => readFileSync(file).subarray(begin).toString("utf8") };
}

function surroundings(variables: Readonly<Record<string, string>>) {
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR"].map((name) => [name, process.env[name] ?? ""]),
  );
  const env = { ...inherited, RINGMASTER_NO_DOTENV: "1", NODE_ENV: "production", ...variables } as const;
  return { cwd: projectDirectory, env };
}

async function waitUntilHealthy(url: string, { child, output }: Running): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const reply = await fetch(`${url}/health`).catch(() => null);
    if (reply?.ok) return;
    await sleep(100);
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not start:\n${output()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  const killTimer = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
  child.kill(signal);
  await ended;
  clearTimeout(killTimer);
}
