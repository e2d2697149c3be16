// The journeys of e2e/ against a production server of their own, on a free port and an empty data directory.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuild } from "./build-mark.mjs";
import { findChromium } from "./find-chromium.mjs";
import { freePort } from "./free-port.mjs";
import { projectDirectory } from "./prisma-cli.mjs";
import { runNode } from "./run-command.mjs";

const START_TIMEOUT_MS = 180_000;
const EXIT_TIMEOUT_MS = 12_000;

/** What the journeys sign in with. */
const ACCOUNT = {
  RINGMASTER_ADMIN_EMAIL: "admin@example.org",
  RINGMASTER_ADMIN_PASSWORD: "a-long-test-password",
  RINGMASTER_ADMIN_API_KEY: "rm_e2e_000000000000000000000000",
};

/** Runs Playwright with `extraArguments`; returns how many journeys passed and failed. */
export async function runBrowserTests(extraArguments, reportDirectory) {
  if (!hasJourneys()) return { passed: 0, failed: 0 };
  const chromium = await findChromium();
  await ensureBuild();
  const data = mkdtempSync(path.join(tmpdir(), "ringmaster-e2e-"));
  const server = await startServer(data);
  try {
    return await runPlaywright(extraArguments, reportDirectory, { server, chromium });
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

function hasJourneys() {
  const directory = path.join(projectDirectory, "e2e");
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".spec.ts"));
}

async function runPlaywright(extraArguments, reportDirectory, { server, chromium }) {
  const file = path.join(reportDirectory, "playwright.json");
  const code = await runNode("node_modules/@playwright/test/cli.js", ["test", ...extraArguments], {
    ...ACCOUNT,
    RINGMASTER_E2E_URL: server.url,
    RINGMASTER_E2E_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_HTML_OPEN: "never",
  });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = JSON.parse(readFileSync(file, "utf8")).stats;
  const failed = unexpected;
  return { passed: expected + flaky, failed: code !== 0 && failed === 0 ? 1 : failed };
}

async function startServer(data) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Nothing of the person's own environment: a provider key there would make the journeys cost money.
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR"].map((name) => [name, process.env[name] ?? ""]),
  );
  const environment = {
    ...inherited,
    ...ACCOUNT,
    PORT: String(port),
    RINGMASTER_DATA_DIR: data,
    RINGMASTER_NO_DOTENV: "1",
  };
  const child = spawn(process.execPath, [path.join(projectDirectory, "scripts/start.mjs")], {
    cwd: projectDirectory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  await waitUntilHealthy(url, child, output);
  return { url, stop: () => stop(child) };
}

async function waitUntilHealthy(url, child, output) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const reply = await fetch(`${url}/health`).catch(() => null);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not start:\n${Buffer.concat(output)}`);
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  const killTimer = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(killTimer);
}
