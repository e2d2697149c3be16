import { z } from "zod";

const TodoStatus = z.enum(["pending", "in_progress", "done"]);

/** One task of an agent's plan (S0 Todo). */
export const Todo = z.object({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(1_000),
  status: TodoStatus,
});
export type Todo = z.infer<typeof Todo>;
