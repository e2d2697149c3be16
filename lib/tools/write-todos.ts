import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { Todo } from "@/lib/schema/runs/todo";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";

/** Replaces the thread's whole list (S0); a list with an unknown status is refused and the old one is kept. */
export const writeTodosTool: Tool = defineTool({
  name: "write_todos",
  kind: "plan",
  approval: "never",
  gist: todosGist,
  description:
    "Write the plan of your work as a list of todos. Send the complete list each time; it replaces the one before. Use it for work of several steps and keep the statuses up to date.",
  input: z.object({ todos: z.array(Todo).max(200).describe("The complete list, in order.") }),
  annotations: { idempotent: true },
  async execute({ todos }, { context }) {
    context.state.todos = todos;
    context.log.emit({ type: "todo.updated", todos });
    const display: ToolDisplay = { kind: "todos", todos };
    return { output: `Updated ${todos.length} todo(s)`, display };
  },
});

function todosGist({ todos }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(todos)) return "";
  const done = todos.filter((todo: unknown) => statusOf(todo) === "done").length;
  return `${done} of ${todos.length} done`;
}

function statusOf(todo: unknown): unknown {
  return typeof todo === "object" && todo !== null && "status" in todo ? todo.status : null;
}
