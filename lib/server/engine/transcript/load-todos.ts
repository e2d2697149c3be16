import { Todo } from "@/lib/schema/runs/todo";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTodos } from "@/lib/server/platform/db/queries/todos";

/** The thread's plan in order. The caller has checked who may see the thread. */
export async function loadTodos(database: Database, threadId: string): Promise<Todo[]> {
  return (await selectTodos(database, threadId)).map((row) => Todo.parse(row));
}
