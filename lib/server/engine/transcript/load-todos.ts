import { z } from "zod";
import { Todo } from "@/lib/schema/runs/todo";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTodos, type ThreadPath } from "@/lib/server/platform/db/queries/paths";
import { logger } from "@/lib/server/platform/logger";

const Todos = z.array(Todo);

/** The plan left by the path's runs, in order. The caller has checked who may see the thread. */
export async function loadTodos(database: Database, path: ThreadPath): Promise<Todo[]> {
  const stored = await selectTodos(database, path);
  return stored === null ? [] : readTodos(stored);
}

/** A plan that can't be read is none: the thread must not stay unusable because of it. */
function readTodos(stored: string): Todo[] {
  try {
    return Todos.parse(JSON.parse(stored));
  } catch (error) {
    logger().error({ err: error }, "the plan of a run can't be read");
    return [];
  }
}
