// What database errors mean, whether they come from Prisma, better-sqlite3 or pg. Identified by code, name and text,
// never by `instanceof`: Next loads modules twice, and the database belongs to one of the two.

/** A row was not, or no longer, in the state that a list of statements requires; nothing in the list is stored. */
export class NothingChanged extends Error {
  override readonly name = "NothingChanged";
}

export function isNothingChanged(error: unknown): boolean {
  return error instanceof Error && error.name === "NothingChanged";
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

const BUSY =
  /SQLITE_BUSY|database is locked|40001|40P01|55P03|57014|25P03|57P0\d|ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|timeout exceeded when trying to connect|P1017|P1001|P1008|P2034/i;

/** The same statement may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(textOf(error));
}

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

const AWAY = ["P1001", "P1002", "P1008", "P1017", "P2024", "ECONNREFUSED"];

/** The database does not answer, or only reports that it is busy. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isBusy(error)) return true;
  // A library may have wrapped the error: better-auth does.
  if (error.cause instanceof Error && error.cause.name.startsWith("Prisma")) return isAway(error.cause);
  if (AWAY.includes(codeOf(error))) return true;
  return /SQLITE_(BUSY|IOERR|CANTOPEN)|database is locked|disk I\/O error/i.test(textOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${codeOf(error)} ${error.message}` : "";
}
