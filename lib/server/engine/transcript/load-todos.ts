import { Todo } from "@/lib/schema/todo";
import type { Database } from "@/lib/server/platform/db/database";

/** The thread's plan in order. The caller has checked who may see the thread. */
export async function loadTodos(database: Database, threadId: string): Promise<Todo[]> {
  const rows = await database.raw(
    `select "todoId" as "id", "title", "status" from "todo" where "threadId" = $1 order by "position"`,
    [threadId],
  );
  return rows.map((row) => Todo.parse(row));
}
