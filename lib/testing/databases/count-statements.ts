import pg from "pg";
import { onTestFinished, vi } from "vitest";
import { SqliteConnection } from "@/lib/server/platform/db/sqlite-connection";

export interface StatementCount {
  /** Every statement that a database got, except those that only begin and end a transaction. */
  readonly statements: readonly string[];
  /** Transactions that wrote something. On SQLite several of them may share an fsync. */
  readonly commits: number;
}

const READS = ["select", "with recursive", "pragma", "show"];
const BEGIN = ["begin"];
const END = ["commit", "rollback"];

function startsWith(text: string, words: readonly string[]): boolean {
  const statement = text.trimStart().toLowerCase();
  return words.some((word) => statement.startsWith(word));
}

/** Counts what reaches the drivers, until the test ends; returns a function that reads the count and starts again. */
export function countStatements(): () => StatementCount {
  let statements: string[] = [];
  let commits = 0;
  const note = (texts: readonly string[]) => {
    statements.push(...texts);
    if (texts.some((text) => !startsWith(text, READS))) commits += 1;
  };
  countSqlite(note);
  countPostgres(note);
  return () => {
    const counted = { statements, commits };
    statements = [];
    commits = 0;
    return counted;
  };
}

type Note = (statementsOfTransaction: readonly string[]) => void;

function countSqlite(note: Note): void {
  const { run, runAll, perform } = SqliteConnection.prototype;
  const spies = [
    vi.spyOn(SqliteConnection.prototype, "run").mockImplementation(function (this: SqliteConnection, sql, ...rest) {
      note([sql]);
      return run.call(this, sql, ...rest);
    }),
    vi.spyOn(SqliteConnection.prototype, "runAll").mockImplementation(function (this: SqliteConnection, list, ...rest) {
      note(list.map(({ sql }) => sql));
      return runAll.call(this, list, ...rest);
    }),
    vi.spyOn(SqliteConnection.prototype, "perform").mockImplementation(function (this: SqliteConnection, sql, values) {
      note([sql]);
      return perform.call(this, sql, values);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}

/** What each connection has sent since its `begin`. */
function countPostgres(note: Note): void {
  const open = new WeakMap<pg.Client, string[]>();
  const { query } = pg.Client.prototype;
  const counted = function (this: pg.Client, ...given: Parameters<typeof query>) {
    const [asked] = given as readonly unknown[];
    const text = textOf(asked);
    const sent = open.get(this);
    if (startsWith(text, BEGIN)) open.set(this, []);
    else if (startsWith(text, END)) {
      if (sent) note(sent);
      open.delete(this);
    } else if (sent) sent.push(text);
    else note([text]);
    return query.apply(this, given);
  } as typeof query;
  pg.Client.prototype.query = counted;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
}

function textOf(asked: unknown): string {
  if (typeof asked === "string") return asked;
  return typeof asked === "object" && asked !== null && "text" in asked ? String(asked.text) : "";
}
