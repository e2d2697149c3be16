import { expect, test } from "vitest";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { runWith } from "@/lib/testing/scripted/run-with";
import { type KeptSchedule, type NewSchedule, type ScheduleKeeper, scheduleTool } from "./schedule";

const KEPT: KeptSchedule = {
  id: "trg_1",
  name: "Brief",
  cron: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  enabled: true,
  deliver: ["thread"],
  next: ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"],
};

function keeper() {
  const created: NewSchedule[] = [];
  const kept: ScheduleKeeper = {
    create: async (schedule) => {
      created.push(schedule);
      return KEPT;
    },
    list: async () => [KEPT],
    pause: async () => ({ ...KEPT, enabled: false }),
    remove: async () => undefined,
  };
  return { created, tool: scheduleTool(kept) };
}

const off = permissionsHook({ permissions: PermissionsConfig.parse({ enabled: false }), workdir: "/workspace" });
const CREATE = { action: "create", name: "Brief", when: "every weekday at 9", prompt: "Brief me." };

async function call(args: object, options: Partial<Parameters<typeof runWith>[1]> = {}) {
  const { created, tool } = keeper();
  const { outcome, events } = await runWith([{ calls: [{ name: "schedule", args: { ...args } }] }, "done"], {
    tools: [tool],
    hooks: [off],
    ...options,
  });
  const result = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []))[0];
  return { status: outcome.status, created, events, text: result?.error ?? result?.output };
}

test("creating asks also where permissions are off; listing, pausing and deleting do not", async () => {
  const asked = await call(CREATE);
  expect([asked.status, asked.created]).toEqual(["waiting", []]);
  expect(asked.events.find(({ type }) => type === "approval.requested")).toMatchObject({
    reason: "It will run later, perhaps while you are away.",
    facts: { question: "Create this schedule?", gist: "create, Brief, every weekday at 9" },
  });
  expect((await call({ action: "list" })).text).toBe(
    "Brief (trg_1): weekdays at 09:00, Europe/Berlin. Next: Tue 24 Nov 09:00, Wed 25 Nov 09:00. Results go to their thread.",
  );
  expect((await call({ action: "pause", id: "trg_1" })).text).toMatch(
    /^Paused: Brief .* Paused\. Results go to their thread\.$/,
  );
  expect((await call({ action: "delete", id: "trg_1" })).text).toMatch(/^Deleted/);
});

test("a result has what its card draws: the time and the next due times", async () => {
  const { events } = await call({ action: "list" });
  const display = events.flatMap((event) => (event.type === "tool.result" ? [event.result.display] : []))[0];
  expect(ToolDisplay.parse(display)).toEqual({
    kind: "schedules",
    schedules: [
      {
        id: "trg_1",
        name: "Brief",
        time: { cron: "0 9 * * 1-5" },
        timezone: "Europe/Berlin",
        enabled: true,
        next: KEPT.next,
      },
    ],
  });
});

test("words become the time that they say", async () => {
  const { created, text } = await call(CREATE, { hooks: [] });
  expect(created).toEqual([{ name: "Brief", prompt: "Brief me.", cron: "0 9 * * 1-5" }]);
  expect(text).toMatch(/^Created: Brief/);
  const placed = await call({ ...CREATE, deliver: ["chat"] }, { hooks: [] });
  expect(placed.created).toMatchObject([{ deliver: ["chat"] }]);
});

test("what it can't understand is an error that says how to write it", async () => {
  expect((await call({ ...CREATE, when: "fortnightly-ish" }, { hooks: [] })).text).toMatch(/every weekday at 9/);
  expect((await call({ action: "pause" })).text).toMatch(/^Give the `id`/);
});
