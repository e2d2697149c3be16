import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, test } from "@playwright/test";
import { freePort } from "../scripts/free-port";
import { projectDirectory } from "../scripts/project-directory";
import { residentMegabytes } from "../scripts/testing/resident-memory";

const KEY = "rm_release_00000000000000000000000";
const MOST_INSTALLED_BYTES = 300_000_000;
const LEAST_PRUNED_BYTES = 50_000_000;
const FIRST_START_MS = 15_000;
/** At rest, after a page was loaded. bench:memory judges by 220, on a quiet machine and after two minutes. */
const MOST_MEGABYTES = 235;
/** V8 collects what the start has left once nothing happens for a while. */
const REST_MS = 60_000;
const PERSON = { email: "ada@example.org", password: "a-long-test-password" };
const run = promisify(execFile);

/** The servers that still run: a test that fails half-way does not stop its own. */
const running = new Set<ChildProcess>();
test.afterEach(async () => {
  for (const child of running) {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }
});

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

test("The packed file installs in an empty folder, answers, and keeps its data beside it", async ({ browser }) => {
  test.setTimeout(400_000);
  const place = emptyPlace();
  try {
    await install(place);
    const installed = path.join(place.folder, "node_modules");
    expect(bytesIn(installed)).toBeLessThanOrEqual(MOST_INSTALLED_BYTES);
    readsUntrusted(path.join(installed, "ringmaster", "program"));
    hasTestedVersions(place);

    const first = await start(place);
    expect(first.tookMs).toBeLessThanOrEqual(FIRST_START_MS);
    expect(readdirSync(path.join(place.folder, "ringmaster-data"))).toContain("ringmaster.db");
    await loadPage(browser, first.address);
    const resident = () => residentMegabytes(first.pid);
    await expect.poll(resident, { timeout: REST_MS, intervals: [1_000] }).toBeLessThanOrEqual(MOST_MEGABYTES);
    const message = { messages: [{ role: "user", content: "plan something" }], thread_id: "kept" };
    const reply = await call(first.address, "POST", "/agents/default/invoke", message);
    expect(JSON.stringify(reply)).toContain("I am rule-based");
    expect(await (await fetch(`${first.address}/sign-in`)).text()).toContain("</html>");
    // Its check has no result: a bundler may take it for a call without effect.
    expect((await fetch(`${first.address}/api/traces/tr_%ff`)).status).toBe(400);
    await first.stop();

    const kept = ringmaster(place, "backup", "kept");
    expect(kept.stdout).toContain(path.join(place.folder, "kept"));
    rmSync(path.join(place.folder, "ringmaster-data"), { recursive: true });
    expect(ringmaster(place, "restore", "kept").status).toBe(0);

    pruneAsTheImageDoes(installed);
    const second = await start(place);
    const { messages } = await call(second.address, "GET", "/agents/default/threads/kept");
    expect(JSON.stringify(messages)).toContain("plan something");
    await second.stop();
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
});

/** What it leaves is all that a server needs. */
function pruneAsTheImageDoes(installed: string): void {
  const before = bytesIn(installed);
  expect(spawnSync("sh", ["deploy/prune-packages.sh", installed], { cwd: projectDirectory }).status).toBe(0);
  expect(bytesIn(installed)).toBeLessThan(before - LEAST_PRUNED_BYTES);
}

function emptyPlace(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-release-"));
  mkdirSync(path.join(folder, "home"));
  const node = path.dirname(process.execPath);
  // Nothing else of this process's environment: a newcomer has none of it.
  const env = {
    NODE_ENV: "production" as const,
    PATH: `${node}${path.delimiter}${process.env.PATH}`,
    HOME: path.join(folder, "home"),
  };
  return { folder, env };
}

async function install({ folder }: Place): Promise<void> {
  await run("npm", ["run", "--silent", "release"], { cwd: projectDirectory });
  const [file = ""] = globSync("release/ringmaster-*.tgz", { cwd: projectDirectory });
  // As this machine's npm is set up: it may have a registry or a proxy of its own, and what npm ci downloaded.
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", folder];
  await run("npm", [...words, path.join(projectDirectory, file)], { cwd: folder });
  const packed = readdirSync(path.join(folder, "node_modules", "ringmaster"), { recursive: true, withFileTypes: true });
  expect(packed.filter((entry) => entry.isSymbolicLink())).toEqual([]);
  expect(packed.length).toBeGreaterThan(1_000);
}

/** The processes that read documents, mails and pages may read nothing but the program. */
function readsUntrusted(program: string): void {
  const read = (worker: string, words: readonly string[], input: string) => {
    const options = ["--permission", `--allow-fs-read=${path.join(program, "*")}`];
    const file = path.join(program, "lib/server", `${worker}.js`);
    const { stdout, stderr } = spawnSync(process.execPath, [...options, file, ...words], { input, encoding: "utf8" });
    return stdout || stderr;
  };
  expect(read("files/documents/document-worker", ["html"], "<h1>Otters</h1>")).toContain("Otters");
  const checked = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org";
  const mail = `${checked}\r\nFrom: ada@example.org\r\nTo: agent@example.org\r\nSubject: Otters\r\n\r\nWhere?\r\n`;
  const words = ["c", "agent@example.org", "mx.example.org", "1"];
  expect(read("triggers/channels/email/mail-worker", words, mail)).toContain("Where?");
}

/** Every package that npm has installed is one of this repository's lock. */
function hasTestedVersions({ folder }: Place): void {
  const versionsIn = (lock: string): string[] => {
    const { packages } = JSON.parse(readFileSync(lock, "utf8"));
    const places = Object.keys(packages).filter((place) => place !== "" && place !== "node_modules/ringmaster");
    return places.map((place) => `${place.split("node_modules/").at(-1)} ${packages[place].version}`);
  };
  const tested = new Set(versionsIn(path.join(projectDirectory, "package-lock.json")));
  const installed = versionsIn(path.join(folder, "node_modules", ".package-lock.json"));
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter((version) => !tested.has(version))).toEqual([]);
}

async function loadPage(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext();
  await context.request.post(`${address}/api/auth/sign-in/email`, { data: PERSON, headers: { origin: address } });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByRole("main")).toBeVisible();
  await context.close();
}

function bytesIn(folder: string): number {
  return Number(/^\d+/.exec(spawnSync("du", ["-sb", folder], { encoding: "utf8" }).stdout)?.[0]);
}

function ringmaster({ folder, env }: Place, ...words: readonly string[]) {
  const bin = path.join(folder, "node_modules", ".bin", "ringmaster");
  return spawnSync(bin, words, { cwd: folder, env, encoding: "utf8" });
}

async function start({ folder, env }: Place) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(path.join(folder, "node_modules", ".bin", "ringmaster"), ["--port", String(port)], {
    cwd: folder,
    env: {
      ...{ ...env, RINGMASTER_ADMIN_API_KEY: KEY },
      ...{ RINGMASTER_ADMIN_EMAIL: PERSON.email, RINGMASTER_ADMIN_PASSWORD: PERSON.password },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(String(chunk)));
  const address = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${address}/health`).catch(() => null))?.ok === true || child.exitCode !== null;
  await expect.poll(isUp, { timeout: 60_000, intervals: [100] }).toBe(true);
  expect(child.exitCode, output.join("")).toBeNull();
  const tookMs = performance.now() - began;
  const stop = async () => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  };
  return { address, tookMs, stop, pid: child.pid ?? 0 };
}

async function call(address: string, method: string, url: string, body?: unknown) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(`${address}${url}`, { method, headers, ...sent });
  expect(reply.status, url).toBe(200);
  return reply.json();
}
