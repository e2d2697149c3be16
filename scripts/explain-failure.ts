// Why a start failed, in one sentence for the person who tried it; a stack only for unexpected errors.
import { z } from "zod";
import { otherPort } from "./free-port";
import { typed } from "./installation";

const text = z.string().optional().catch(undefined);
const place = { address: text, port: z.number().optional().catch(undefined), hostname: text };

/** The fields read from a thrown value: those of Node's system errors, better-sqlite3's and pg's. */
const Failure = z
  .object({ name: text, message: text, stack: text, code: text, path: text, severity: text, ...place })
  .extend({ exitCode: z.int().min(1).max(255).optional().catch(undefined) })
  .extend({ errors: z.array(z.object(place)).optional().catch(undefined) })
  .catch({});

type Failure = z.infer<typeof Failure>;

const FOR_PEOPLE = [
  "EnvironmentError",
  "CannotListen",
  "DataDirectoryInUse",
  "SecretUnreadable",
  "DatabaseRefused",
  "SettingsUnreadable",
  "Refused",
];

const FILE_CODES: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is on a read-only file system",
  ENOTDIR: "a part of that path is a file",
  EEXIST: "there is a file of that name",
  ENOENT: "it can't be created there",
  ENOSPC: "the disk is full",
};

const OTHER_DATA = "set RINGMASTER_DATA_DIR to another folder.";

const DATABASE_CODES: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "The database file is not a database.",
  SQLITE_CORRUPT: "The database file is damaged.",
  SQLITE_READONLY: "This user may not write the database file.",
  SQLITE_CANTOPEN: "This user can't open the database file.",
  SQLITE_FULL: "The disk is full.",
  SQLITE_IOERR_SHMSIZE: "The disk is full.",
  SQLITE_IOERR: "The disk under the database reports an error.",
  SQLITE_BUSY: "Another program is using the database.",
};

const RESTORE = typed("restore <backup>");

const NEXT_STEPS: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: `Restore a backup with \`${RESTORE}\`, or move the file away to start with an empty one.`,
  SQLITE_CORRUPT: `Restore a backup with \`${RESTORE}\`.`,
  SQLITE_FULL: "Free some space, then start again.",
  // No room for the file that its readers share.
  SQLITE_IOERR_SHMSIZE: "Free some space, then start again.",
  SQLITE_IOERR: "Look at the disk (df, dmesg), then start again.",
  SQLITE_BUSY: "Stop it, then start again.",
};

const UNREACHABLE = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
];

/** SQLSTATE codes of a server that answers and refuses, with what to do; others are passed on unchanged. */
const POSTGRES_STEPS: Readonly<Record<string, string>> = {
  "28P01": "Correct the user or password in DATABASE_URL.",
  "28000": "Correct the user in DATABASE_URL, or allow it in pg_hba.conf.",
  "3D000": "Create it (createdb), or correct DATABASE_URL.",
  "42501": "Give this user the right to create tables there, or use another user.",
  "53300": "Free some connections, or raise max_connections.",
  "57P03": "Wait until it is ready, then start again.",
};

/** The same for a command that is not the server; `outcome` says what it means. */
export function explainCommand(error: unknown, outcome: string): string {
  // A command is told its folders as arguments.
  return explainStart(error)
    .replace(/^Ringmaster can't start/, outcome)
    .replace(OTHER_DATA, "name another folder.");
}

/** What the process that failed ends with: 1, unless the error says more. */
export function exitCodeOf(error: unknown): number {
  return Failure.parse(error).exitCode ?? 1;
}

/** The text for standard error. */
export function explainStart(error: unknown): string {
  const failure = Failure.parse(error);
  const { name = "", message, code = "", port } = failure;
  if (code === "EADDRINUSE") return explainTakenPort(port ?? 0);
  if (FOR_PEOPLE.includes(name)) return `Ringmaster can't start: ${message}`;
  const known = explainSqlite(code) ?? explainPostgres(failure) ?? explainFile(failure);
  if (known !== undefined) return `Ringmaster can't start: ${known}`;
  return `Ringmaster can't start.\n${failure.stack ?? error}`;
}

function explainTakenPort(port: number): string {
  return `Port ${port} is in use. Stop the program that is listening there, or take another port: ${otherPort(port + 1)}`;
}

function explainSqlite(code: string): string | undefined {
  const database = Object.keys(DATABASE_CODES).find((known) => code.startsWith(known));
  if (database === undefined) return undefined;
  const next = NEXT_STEPS[database] ?? "Give this user access to the data directory, then start again.";
  return `${DATABASE_CODES[database]} ${next} (${code})`;
}

function explainPostgres(failure: Failure): string | undefined {
  const { code = "", message, severity } = failure;
  if (UNREACHABLE.includes(code)) {
    // A name with several addresses was tried at each of them.
    const { address, port, hostname = "" } = failure.errors?.[0] ?? failure;
    const place = address === undefined ? hostname : `${address}:${port}`;
    return `the Postgres server of DATABASE_URL does not answer (${`${code} ${place}`.trim()}). Start it, or correct DATABASE_URL.`;
  }
  if (severity === undefined) return undefined;
  const next = POSTGRES_STEPS[code] ?? "Fix that, then start again.";
  return `the Postgres server of DATABASE_URL says: ${message} (${code}). ${next}`;
}

function explainFile({ code = "", path }: Failure): string | undefined {
  const reason = FILE_CODES[code];
  if (reason === undefined || path === undefined) return undefined;
  return `it can't use ${path}: ${reason} (${code}). Fix that, or ${OTHER_DATA}`;
}
