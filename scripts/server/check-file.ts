// check-file.ts <file>: prints the first damage that SQLite finds in the file.
import Connection from "better-sqlite3";

try {
  const connection = new Connection(process.argv[2] ?? "", { readonly: true, fileMustExist: true, timeout: 5_000 });
  const found = connection.pragma("quick_check(1)", { simple: true });
  if (found !== "ok") process.stdout.write(String(found));
} catch (error) {
  const isDamage = error instanceof Connection.SqliteError && /CORRUPT|NOTADB/.test(error.code);
  if (isDamage) process.stdout.write(error.message);
}
