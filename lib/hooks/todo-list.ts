import type { Hook } from "@/lib/agent/hooks/hook";
import { offerTools } from "@/lib/tools/offer-tools";
import { writeTodosTool } from "@/lib/tools/write-todos";

/** S0's todo list hook: offers `write_todos`. The list itself is in the thread's state. */
export function todoListHook(): Hook {
  return {
    name: "todolist",
    async beforeAgent(context) {
      offerTools([writeTodosTool], context);
    },
  };
}
