import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { KnownHook } from "@/lib/client/agents/hooks/hook-queries";
import { hookRows } from "@/lib/client/agents/hooks/hook-rows";
import { HookMatrix } from "./hook-matrix";

afterEach(cleanup);

const known: KnownHook[] = ["tracing", "todolist", "prompt"].map((name) => ({
  name,
  description: name,
  phases: ["before_agent"],
  config_schema: {},
  standard: true,
  extension: null,
}));

function show(selected: string) {
  const rows = hookRows({ prompt: { mode: "full" }, hooks: ["tracing", "gone", "todolist"] }, known, [
    { path: "hooks.1", message: "The extension gone.ts could not be loaded in line 12.", severity: "error" },
  ]);
  const calls = { onSelect: vi.fn(), onMove: vi.fn(), onSwitch: vi.fn(), onOpen: vi.fn() };
  render(<HookMatrix rows={rows} preview={() => rows} selected={selected} {...calls} />);
  return { rows, ...calls, row: (name: RegExp) => screen.getByRole("row", { name }) };
}

test("a row takes the keys of the page", () => {
  const { row, onMove, onSwitch, onOpen } = show("todolist");
  const todos = row(/^todolist/);
  fireEvent.keyDown(todos, { key: "ArrowUp", altKey: true });
  expect(onMove).toHaveBeenCalledWith(3, 2);
  fireEvent.keyDown(todos, { key: " " });
  expect(onSwitch).toHaveBeenCalledWith(expect.objectContaining({ name: "todolist" }), false);
  fireEvent.keyDown(todos, { key: "Enter" });
  fireEvent.keyDown(todos, { key: "t" });
  expect(onOpen.mock.calls.map(([, panel]) => panel)).toEqual(["settings", "try"]);
});

test("what is fixed says always, has no handle, and Space leaves it", () => {
  const { row, onSwitch } = show("tracing");
  expect(row(/^tracing/).textContent).toContain("always");
  expect(screen.queryByTitle("Drag tracing")).toBeNull();
  expect(screen.getByTitle("Drag todolist")).toBeDefined();
  fireEvent.keyDown(row(/^tracing/), { key: " " });
  expect(onSwitch).not.toHaveBeenCalled();
});

test("a hook that did not load keeps its place with its line", () => {
  const { row } = show("tracing");
  expect(row(/^gone, has an error, place 3/).textContent).toContain("in line 12");
});
