// A private Postgres server in a temporary folder, from the binaries that Debian's `postgresql` package installs.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port";
import { outputOf } from "../run-command";
import { BINARIES, findPostgres } from "./find-postgres";

const USER = "ringmaster";
const START_TIMEOUT_MS = 30_000;
const NOBODY = 65_534;
/** Only a power cut or a second server would need these; committed data survives a crash of Postgres anyway. */
const SETTINGS = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"];

export interface PostgresServer {
  /** Address of the database `postgres`. */
  readonly url: string;
  query(sql: string): Promise<void>;
  /** Ends it at once, like a crash; committed data is there when it starts again. */
  crash(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

type Server = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts a server on a free port of 127.0.0.1, not safe from power cuts. Postgres refuses to run as root, so root starts
 * it as nobody. `crash()` ends it as `pg_ctl stop -m immediate` does, `startAgain()` lets it recover; `stop()` ends it
 * and removes its folder. `more` are settings as `name=value`.
 */
export async function startPostgres(more: readonly string[] = []): Promise<PostgresServer> {
  const binaries = findPostgres();
  if (binaries === null) throw new Error(`No Postgres server under ${BINARIES}: apt-get install postgresql`);
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-postgres-"));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid);
  try {
    return await startIn(directory, binaries, { owner, more });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(
  directory: string,
  binaries: string,
  { owner, more }: { readonly owner: Owner; readonly more: readonly string[] },
): Promise<PostgresServer> {
  const data = path.join(directory, "data");
  const initialise = ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await outputOf(path.join(binaries, "initdb"), initialise, { cwd: directory, ...owner });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${directory}`, ...SETTINGS, ...more];
  const flags = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const url = `postgresql://${USER}@127.0.0.1:${port}/postgres`;
  const launch = () =>
    spawn(path.join(binaries, "postgres"), flags, { cwd: directory, stdio: ["ignore", "pipe", "pipe"], ...owner });
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
}

async function end(server: Server, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(server)) return;
  const ended = once(server, "close");
  server.kill(signal);
  await ended;
}

/** A signal leaves no exit code. */
function isAlive(server: Server): boolean {
  return server.exitCode === null && server.signalCode === null;
}

async function waitUntilReady(url: string, server: Server): Promise<void> {
  let log = "";
  server.stdout.resume();
  server.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && isAlive(server)) {
    if (await answers(url)) return;
    await sleep(50);
  }
  server.kill("SIGKILL");
  throw new Error(`Postgres did not start:\n${log}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await query(url, "select 1");
    return true;
  } catch {
    return false;
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
