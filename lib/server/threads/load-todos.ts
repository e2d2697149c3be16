import { Todo } from "@/lib/schema/todo";
import type { Database } from "../db";

/** The thread's plan in order. The caller has checked who may see the thread. */
export async function loadTodos(database: Database, threadId: string): Promise<Todo[]> {
  const rows = await database.todo.findMany({ where: { threadId }, orderBy: { position: "asc" } });
  return rows.map((row) => Todo.parse({ id: row.todoId, title: row.title, status: row.status }));
}
