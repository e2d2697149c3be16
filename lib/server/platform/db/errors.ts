// What database errors mean, whether they come from Prisma, better-sqlite3 or pg: told by code and text.

import { SharedError } from "@/lib/schema/shared-error";

/** A row was not, or no longer, in the state that a list of statements requires; nothing in the list is stored. */
export class NothingChanged extends SharedError {
  static override readonly kind = "NothingChanged";
}

export function isNothingChanged(error: unknown): boolean {
  return error instanceof NothingChanged;
}

/** A row that Prisma was to change does not exist, or is not in the state required by the `where`. */
export function isNotFound(error: unknown): boolean {
  return codeOf(error) === "P2025";
}

const TAKEN = ["P2002", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "23505"];

/** A row with the same key already exists. */
export function isTaken(error: unknown): boolean {
  return TAKEN.includes(codeOf(error));
}

/**
 * What Postgres reports (the first characters of SQLSTATE) when the same statement may succeed a moment later. Of class
 * 53, a full disk (53100) is not among them: that does not pass by itself.
 */
const BUSY_STATES = [
  "08", // the connection failed, or a pooler could not open one
  "53000", // not enough resources
  "53200", // out of memory
  "53300", // too many connections
  "53400", // a configured limit is exceeded
  "57P", // shutting down, starting, crashed; the session was ended
  "57014", // the statement took too long
  "25P03", // a transaction was left open too long
  "40", // serialization failure, deadlock
  "55P03", // a lock was not available in time
] as const;

/** Prisma's own codes for the same, and those of SQLite and of the network. */
const BUSY_CODES = [
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2034", "P2037"],
  ...["SQLITE_BUSY", "SQLITE_LOCKED"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
];

/** Errors without a code: those of pg's client and pool, and the server's refusals before a session begins. */
const BUSY_TEXTS = [
  "Connection terminated",
  "Connection ended unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "too many clients already",
  "connection slots are reserved",
  "the database system is",
  "database is locked",
];

const BUSY = new RegExp([...BUSY_TEXTS, ...BUSY_CODES.map((code) => `\\b${code}`)].join("|"), "i");
/** A state inside the text of another library's error: "Code: `40P01`", "code: "57P01"", "SQLSTATE 53300". */
const STATE_IN_TEXT = /(?:\bcode\b|\bsqlstate\b)[\s:=("'`]{1,8}([0-9A-Z]{5})\b/gi;

/** The same statement may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  const text = textOf(error);
  const states = [codeOf(error), ...Array.from(text.matchAll(STATE_IN_TEXT), ([, state = ""]) => state)];
  return (
    BUSY.test(text) || states.some((state) => BUSY_STATES.some((busy) => isState(state) && state.startsWith(busy)))
  );
}

const isState = (code: string) => /^[0-9A-Z]{5}$/.test(code);

/** Another writer has stored a row with the same number, or the database was only busy: read again and retry. */
export function isRaceLost(error: unknown): boolean {
  return isTaken(error) || isBusy(error);
}

export function isDiskFull(error: unknown): boolean {
  return /SQLITE_FULL|database or disk is full|ENOSPC|No space left on device/i.test(textOf(error));
}

export function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /SQLITE_READONLY|attempt to write a readonly/i.test(textOf(error)) || isReadOnly(error.cause);
}

/** The SQLite file contains something that SQLite did not write. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const said = /SQLITE_(CORRUPT|NOTADB)|database disk image is malformed|file is not a database/i;
  return said.test(textOf(error)) || isDamaged(error.cause);
}

/** The database does not answer, or only reports that it is busy. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isBusy(error)) return true;
  // A library may have wrapped the error: better-auth does.
  if (error.cause instanceof Error && error.cause.name.startsWith("Prisma")) return isAway(error.cause);
  return /SQLITE_(BUSY|IOERR|CANTOPEN)|database is locked|disk I\/O error/i.test(textOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${codeOf(error)} ${error.message}` : "";
}
