import { expect, test } from "vitest";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";
import { builtinToolInfos, builtinTools } from "./builtin-tools";

test("an agent names calculate, current_datetime and ask_user in its tools", () => {
  expect(builtinTools().map((tool) => tool.name)).toEqual(["calculate", "current_datetime", "ask_user"]);
});

test("every built-in tool is described with a JSON Schema and when it is offered", () => {
  const infos = builtinToolInfos();
  expect(infos.map((info) => info.name).toSorted()).toEqual([
    "ask_user",
    "calculate",
    "current_datetime",
    "delegate",
    "edit_file",
    "execute",
    "find_agent",
    "glob",
    "grep",
    "handoff",
    "ls",
    "memory_append",
    "memory_read",
    "memory_search",
    "memory_write",
    "message",
    "read_file",
    "schedule",
    "skill_search",
    "task",
    "task_cancel",
    "task_status",
    "team_tasks",
    "view_image",
    "web_fetch",
    "web_search",
    "write_file",
    "write_todos",
  ]);
  for (const info of infos) expect(info.parameters).toMatchObject({ type: "object", properties: expect.anything() });
});

test("arguments with a default are not required of the model", () => {
  const byName = new Map(builtinToolInfos().map((info) => [info.name, info.parameters.required]));
  expect([byName.get("ls"), byName.get("read_file"), byName.get("grep")]).toEqual([undefined, ["path"], ["pattern"]]);
});

test("the annotations are those that permissions and the crash rule count on", () => {
  const byName = Object.fromEntries(builtinToolInfos().map(({ name, annotations }) => [name, annotations]));
  const named = (names: readonly string[], annotations: ToolAnnotations) =>
    Object.fromEntries(names.map((name) => [name, annotations]));
  const reading = ["ls", "read_file", "glob", "grep", "calculate", "current_datetime", "ask_user", "task_status"];
  expect(byName).toEqual({
    ...named([...reading, "skill_search", "memory_read", "memory_search", "view_image", "find_agent"], {
      readOnly: true,
    }),
    ...named(["write_file", "write_todos"], { idempotent: true }),
    ...named(
      [
        "edit_file",
        "task",
        "task_cancel",
        "delegate",
        "handoff",
        "memory_append",
        "memory_write",
        "message",
        "schedule",
        "team_tasks",
      ],
      {},
    ),
    ...named(["web_fetch", "web_search"], { readOnly: true, openWorld: true }),
    execute: { destructive: true, openWorld: true },
  });
});
