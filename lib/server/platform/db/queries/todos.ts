import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { insertRows } from "@/lib/server/platform/db/statements";

interface TodoRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** The thread's plan in order. */
export function selectTodos(database: Database, threadId: string): Promise<TodoRow[]> {
  return database.raw<TodoRow>(
    `select "todoId" as "id", "title", "status" from "todo" where "threadId" = $1 order by "position"`,
    [threadId],
  );
}

const COLUMNS = { threadId: "text", position: "integer", todoId: "text", title: "text", status: "text" } as const;

/** The thread's plan becomes this one. */
export function replaceTodosStatements(
  { dialect }: Database,
  threadId: string,
  todos: readonly TodoRow[],
): SqlStatement[] {
  const rows = todos.map(({ id: todoId, title, status }, position) => ({ threadId, position, todoId, title, status }));
  const cleared = { sql: `delete from "todo" where "threadId" = $1`, parameters: [threadId] };
  return rows.length === 0 ? [cleared] : [cleared, insertRows(dialect, "todo", COLUMNS, rows)];
}
