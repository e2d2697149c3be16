import { expect, test } from "vitest";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { endEvents, waitEvents } from "./run-events";

const ENDED = { response: "Done.", notice: null, error: null, costUsd: 0.1, steps: 2 };
const asked = (kind: Interrupt["kind"], more: Partial<Interrupt> = {}): Interrupt => ({
  kind,
  toolCallId: "call_1",
  tool: "write_file",
  args: { content: "the secret plan" },
  reason: "It writes.",
  ...more,
});

test.each([
  ["completed", "run.completed"],
  ["limit", "run.limit"],
  ["failed", "run.failed"],
  ["interrupted", "run.failed"],
])("a run that is %s is %s", (status, type) => {
  expect(endEvents({ ...ENDED, status })).toMatchObject([{ type, data: { status, response: "Done.", cost_usd: 0.1 } }]);
});

test("a run that a person has stopped is no event", () => {
  expect(endEvents({ ...ENDED, status: "cancelled" })).toEqual([]);
});

test("what waits is one event, and one more for each call and each budget that is asked about", () => {
  const budget = { capUsd: 1, spentUsd: 0.9 } as Interrupt["budget"];
  const events = waitEvents([asked("approval"), asked("question"), asked("budget", { budget })]);
  expect(events.map(({ type }) => type)).toEqual(["run.waiting", "approval.requested", "budget.reached"]);
  expect(events[0]?.data).toMatchObject({ waiting_for: ["approval", "question", "budget"] });
  expect(events[1]?.data).toMatchObject({ tool: "write_file", reason: "It writes." });
  expect(events[2]?.data).toEqual({ cap_usd: 1, spent_usd: 0.9 });
});

test("arguments of calls stay here", () => {
  expect(JSON.stringify(waitEvents([asked("approval")]))).not.toContain("secret plan");
});

test("a run that waits only for subagents is no event", () => {
  expect(waitEvents([])).toEqual([]);
});
