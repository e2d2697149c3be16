import type { Hook } from "@/lib/agent/hook";
import { writeTodosTool } from "@/lib/tools/write-todos";
import { offerTools } from "./offer-tools";

/** S0's todo list hook: offers `write_todos`. The list itself lives in the thread's state. */
export function todoListHook(): Hook {
  return {
    name: "todolist",
    async beforeAgent(context) {
      offerTools([writeTodosTool], context);
    },
  };
}
