// The client programs of PostgreSQL, which copy a database and look at the copy.
import "server-only";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parse } from "pg-connection-string";

/**
 * The environment for `pg_dump`: where the database is, PATH, and nothing else of this process's. The password is
 * passed here because arguments are readable by every user of the machine.
 */
export function clientEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  const { host, port, user, password, database } = parse(databaseUrl);
  const { sslmode } = Object.fromEntries(new URL(databaseUrl).searchParams);
  return {
    ...pathOnly(),
    ...(host ? { PGHOST: host } : {}),
    ...(port ? { PGPORT: port } : {}),
    ...(user ? { PGUSER: user } : {}),
    ...(database ? { PGDATABASE: database } : {}),
    ...(password ? { PGPASSWORD: password } : {}),
    ...(sslmode ? { PGSSLMODE: sslmode } : {}),
  };
}

/** Nothing of the server's environment except PATH. */
export function pathOnly(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: the path of programs is no setting of ours.
  return { PATH: process.env.PATH ?? "/usr/bin:/bin", NODE_ENV: "production" };
}

export interface ClientProblem {
  /** A sentence. */
  readonly reason: string;
  /** What to install; empty where that would not help. */
  readonly remedy: string;
}

/** Why `pg_dump` or `pg_restore` failed. */
export function explainClient(error: unknown): ClientProblem {
  if (isMissing(error)) {
    const reason = `The database is Postgres, and ${error.path ?? "pg_dump"} is not on this machine.`;
    return {
      reason,
      remedy: "Install the client of PostgreSQL (Debian and Ubuntu: apt-get install postgresql-client).",
    };
  }
  const said = wordsOf(error);
  const server = /server version: (\d{1,3})/.exec(said)?.[1];
  const client = /pg_dump version: (\d{1,3})/.exec(said)?.[1];
  if (server !== undefined && client !== undefined) return explainOlder(Number(client), Number(server));
  const last = said.trim().split("\n").at(-1)?.slice(0, MAX_MESSAGE_CHARS).replace(/\.$/, "");
  return { reason: `pg_dump did not copy the database: ${last}.`, remedy: "" };
}

/** What `pg_dump` would say of this server, without copying anything; null if it could. `server`: its major version. */
export async function findClientProblem(server: number): Promise<ClientProblem | null> {
  try {
    const { stdout } = await promisify(execFile)("pg_dump", ["--version"], {
      env: pathOnly(),
      timeout: VERSION_TIMEOUT_MS,
    });
    const client = Number(/\d+/.exec(stdout)?.[0]);
    return client < server ? explainOlder(client, server) : null;
  } catch (error) {
    return explainClient(error);
  }
}

/** `pg_dump` reads servers of its own version and of those before. */
function explainOlder(client: number, server: number): ClientProblem {
  const packages = `Debian and Ubuntu: apt-get install postgresql-client-${server}, from apt.postgresql.org if the system has none`;
  return {
    reason: `pg_dump ${client} can't read PostgreSQL ${server}.`,
    remedy: `Install the client of PostgreSQL ${server} or newer (${packages}).`,
  };
}

const VERSION_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_CHARS = 300;

interface ProgramMissing extends Error {
  readonly path?: string;
}

function isMissing(error: unknown): error is ProgramMissing {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** What the program wrote, else what the call says of itself. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = "stderr" in error ? String(error.stderr) : "";
  return told.trim() === "" ? error.message : told;
}
