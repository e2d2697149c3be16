// A production server of one's own for journeys and pictures: an empty data directory, a free port, no provider key.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.mjs";
import { projectDirectory } from "./prisma-cli.mjs";

const START_TIMEOUT_MS = 180_000;
const EXIT_TIMEOUT_MS = 12_000;

/**
 * Starts `npm start`'s server with `environment` and nothing of the person's own: a provider key there would make the
 * journeys cost money. `kill()` is kill -9; `restart()` starts again on the same data and port; `stop()` also removes
 * the data.
 */
export async function startTestServer(environment = {}) {
  const data = mkdtempSync(path.join(tmpdir(), "ringmaster-server-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = { ...environment, PORT: String(port), RINGMASTER_DATA_DIR: data };
  let running;
  const start = async () => {
    running = spawnServer(variables);
    await waitUntilHealthy(url, running);
  };
  try {
    await start();
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    output: () => running.output(),
    kill: () => end(running.child, "SIGKILL"),
    restart: start,
    async stop() {
      await end(running.child, "SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function spawnServer(variables) {
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR"].map((name) => [name, process.env[name] ?? ""]),
  );
  const child = spawn(process.execPath, [path.join(projectDirectory, "scripts/start.mjs")], {
    cwd: projectDirectory,
    env: { ...inherited, RINGMASTER_NO_DOTENV: "1", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString("utf8") };
}

async function waitUntilHealthy(url, { child, output }) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const reply = await fetch(`${url}/health`).catch(() => null);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not start:\n${output()}`);
}

async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  const killTimer = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
  child.kill(signal);
  await ended;
  clearTimeout(killTimer);
}
