import { expect, test } from "vitest";
import { runWith } from "@/lib/testing/scripted/run-with";
import { todoListHook } from "./todo-list";

const todo = (status: string) => ({ id: "1", title: "Write tests", status });
const write = (...statuses: string[]) => ({ calls: [{ name: "write_todos", args: { todos: statuses.map(todo) } }] });

test("a written list replaces the thread's and the streams are notified", async () => {
  const { outcome, environment, events } = await runWith([write("pending", "pending"), write("done"), "ok"], {
    hooks: [todoListHook()],
  });
  expect(outcome.added[2]?.content).toBe("Updated 2 todo(s)");
  expect(environment.state.todos).toEqual([todo("done")]);
  expect(events.filter((event) => event.type === "todo.updated")).toHaveLength(2);
});

test("an unknown status is an error result that names the field, and the list is unchanged", async () => {
  const { outcome, environment } = await runWith([write("pending"), write("finished"), "ok"], {
    hooks: [todoListHook()],
  });
  expect(outcome.added[4]).toMatchObject({ isError: true, content: expect.stringContaining("todos.0.status") });
  expect(environment.state.todos).toEqual([todo("pending")]);
});
