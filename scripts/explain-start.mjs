// Why a start failed, in one sentence for the person who tried it; a stack only for what nobody foresaw.

const FOR_PEOPLE = ["EnvironmentError", "CannotListen", "DataDirectoryInUse", "SecretUnreadable", "DatabaseRefused"];

const FILE_CODES = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is on a read-only file system",
  ENOTDIR: "a part of that path is a file",
  EEXIST: "there is a file of that name",
  ENOENT: "it can't be made there",
  ENOSPC: "the disk is full",
};

const DATABASE_CODES = {
  SQLITE_NOTADB: "The database file is not a database.",
  SQLITE_CORRUPT: "The database file is damaged.",
  SQLITE_READONLY: "The database file may not be written by this user.",
  SQLITE_CANTOPEN: "The database file can't be opened by this user.",
  SQLITE_FULL: "The disk is full.",
  SQLITE_IOERR: "The disk under the database reports an error.",
  SQLITE_BUSY: "Another program holds the database.",
};

const NEXT_STEPS = {
  SQLITE_NOTADB: "Restore a backup with `npm run restore -- <backup>`, or move the file away to begin anew.",
  SQLITE_CORRUPT: "Restore a backup with `npm run restore -- <backup>`.",
  SQLITE_FULL: "Free some space, then start again.",
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

/** SQLSTATE codes of a server that answers and refuses, with what to do; others are passed on as they are. */
const POSTGRES_STEPS = {
  "28P01": "Correct the user or password in DATABASE_URL.",
  28000: "Correct the user in DATABASE_URL, or allow it in pg_hba.conf.",
  "3D000": "Make it (createdb), or correct DATABASE_URL.",
  42501: "Give this user the right to make tables there, or use another.",
  53300: "Free some connections, or raise max_connections.",
  "57P03": "Wait until it is ready, then start again.",
};

/** The same for a command that is not the server; `outcome` says what it means. */
export function explainCommand(error, outcome) {
  if (error?.name === "Refused") return `${outcome}: ${error.message}`;
  return explainStart(error).replace(/^Ringmaster can't start/, outcome);
}

/** The text for standard error. */
export function explainStart(error) {
  if (error?.code === "EADDRINUSE") return `Port ${error.port} is in use. Stop what listens there or set PORT.`;
  if (FOR_PEOPLE.includes(error?.name)) return `Ringmaster can't start: ${error.message}`;
  const database = Object.keys(DATABASE_CODES).find((code) => String(error?.code).startsWith(code));
  if (database !== undefined) {
    const next = NEXT_STEPS[database] ?? "Give this user access to the data directory, then start again.";
    return `Ringmaster can't start: ${DATABASE_CODES[database]} ${next} (${error.code})`;
  }
  const postgres = explainPostgres(error);
  if (postgres !== undefined) return `Ringmaster can't start: the Postgres server of DATABASE_URL ${postgres}`;
  const reason = FILE_CODES[error?.code];
  if (reason !== undefined && typeof error.path === "string") {
    const hint = "Mend that, or set RINGMASTER_DATA_DIR to another folder.";
    return `Ringmaster can't start: it can't use ${error.path}: ${reason} (${error.code}). ${hint}`;
  }
  return `Ringmaster can't start.\n${error?.stack ?? error}`;
}

function explainPostgres(error) {
  const code = String(error?.code);
  if (UNREACHABLE.includes(code)) {
    // A name with several addresses was tried at each of them.
    const { address, port, hostname } = error.errors?.[0] ?? error;
    const place = address === undefined ? (hostname ?? "") : `${address}:${port}`;
    return `does not answer (${`${code} ${place}`.trim()}). Start it, or correct DATABASE_URL.`;
  }
  if (error?.severity === undefined) return undefined;
  return `says: ${error.message} (${code}). ${POSTGRES_STEPS[code] ?? "Mend that, then start again."}`;
}
