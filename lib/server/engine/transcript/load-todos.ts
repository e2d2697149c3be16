import { z } from "zod";
import { Todo } from "@/lib/schema/runs/todo";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTodos, type ThreadPath } from "@/lib/server/platform/db/queries/paths";

const Todos = z.array(Todo);

/** The plan left by the path's runs, in order. The caller has checked who may see the thread. */
export async function loadTodos(database: Database, path: ThreadPath): Promise<Todo[]> {
  const stored = await selectTodos(database, path);
  return stored === null ? [] : Todos.parse(JSON.parse(stored));
}
