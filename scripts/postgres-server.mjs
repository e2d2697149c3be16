// A Postgres server of one's own in a temporary folder, from the binaries that Debian's `postgresql` package installs.
import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { freePort } from "./free-port.mjs";

const BINARIES = "/usr/lib/postgresql";
const USER = "ringmaster";
const START_TIMEOUT_MS = 30_000;
const NOBODY = 65_534;
/** What only a power cut or a second server would need; what is committed outlives a crash of Postgres all the same. */
const SETTINGS = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"];

/** The folder of the newest installed server's programs, or null. */
export function findPostgres() {
  const versions = existsSync(BINARIES) ? readdirSync(BINARIES) : [];
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(BINARIES, version, "bin"));
  return newestFirst.find((directory) => existsSync(path.join(directory, "initdb"))) ?? null;
}

/**
 * Starts a server on a free port of 127.0.0.1, not safe from power cuts. Postgres refuses to run as root, so root starts
 * it as nobody. `crash()` ends it as `pg_ctl stop -m immediate` does, `startAgain()` lets it recover; `stop()` ends it
 * and removes its folder.
 */
export async function startPostgres() {
  const binaries = findPostgres();
  if (binaries === null) throw new Error(`No Postgres server under ${BINARIES}: apt-get install postgresql`);
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-postgres-"));
  const owner = process.getuid() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid);
  const data = path.join(directory, "data");
  const options = { cwd: directory, stdio: ["ignore", "pipe", "pipe"], ...owner };
  try {
    const initialise = ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    await finish(spawn(path.join(binaries, "initdb"), initialise, options));
    const port = await freePort();
    const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${directory}`, ...SETTINGS];
    const flags = settings.flatMap((setting) => ["-c", setting]);
    const url = `postgresql://${USER}@127.0.0.1:${port}/postgres`;
    const launch = () => spawn(path.join(binaries, "postgres"), ["-D", data, "-p", String(port), ...flags], options);
    let server = launch();
    await waitUntilReady(url, server);
    return {
      url,
      query: (sql) => query(url, sql),
      crash: () => end(server, "SIGQUIT"),
      async startAgain() {
        server = launch();
        await waitUntilReady(url, server);
      },
      async stop() {
        await end(server, "SIGINT");
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function end(server, signal) {
  const ended = new Promise((resolve) => server.once("close", resolve));
  if (!isAlive(server)) return;
  server.kill(signal);
  await ended;
}

/** A signal leaves no exit code. */
function isAlive(server) {
  return server.exitCode === null && server.signalCode === null;
}

async function waitUntilReady(url, server) {
  let log = "";
  server.stdout.resume();
  server.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && isAlive(server)) {
    if (await answers(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.kill("SIGKILL");
  throw new Error(`Postgres did not start:\n${log}`);
}

async function answers(url) {
  try {
    await query(url, "select 1");
    return true;
  } catch {
    return false;
  }
}

async function query(url, sql) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function finish(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${child.spawnfile} failed:\n${output}`);
}
