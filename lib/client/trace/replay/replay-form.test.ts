import { expect, test } from "vitest";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { liveTools, recordedForm, replaySchema } from "./replay-form";
import { sandboxWords } from "./tool-words";

const PLAN: ReplayPlan = {
  ...{ runId: "run", steps: 4, problem: null, message: null, systemPrompt: null, model: "m", models: [], version: 1 },
  ...{ calls: [], costUsd: null, workedMs: null, replays: [], sandbox: { problem: null, files: 0, neverVersioned: 0 } },
  tools: [
    { name: "read_file", inSandbox: true, readOnly: true },
    { name: "send_mail", inSandbox: false, readOnly: false },
    { name: "lost", inSandbox: false, readOnly: null },
  ],
};

const sent = async (change: object) => {
  const schema = replaySchema(PLAN);
  return schema.parseAsync({ ...recordedForm(PLAN, 2), ...change });
};

test("recorded tools send no more than that, and tools that run leave out what the agent has no longer", async () => {
  expect(await sent({})).toMatchObject({
    replay: { tools: { default: "recorded", on_miss: "fail", per: {} }, confirmLive: [], reuse_decisions: false },
  });
  expect(await sent({ tools: "sandbox", onMiss: "ask" })).toMatchObject({
    replay: { tools: { default: "sandbox", on_miss: "ask", per: { lost: "recorded" } }, reuse_decisions: true },
  });
});

test("only live tools are confirmed, by name, once they are switched on", async () => {
  const live = { ...recordedForm(PLAN, 1), tools: "live" } as const;
  expect(liveTools(PLAN.tools, live)).toEqual(["send_mail"]);
  expect(liveTools(PLAN.tools, { tools: "sandbox" })).toEqual([]);
  expect(await sent({ tools: "live", isConfirmed: true })).toMatchObject({ replay: { confirmLive: ["send_mail"] } });
  expect(await sent({ tools: "live" })).toMatchObject({ replay: { confirmLive: [] } });
  expect(await sent({ tools: "sandbox", isConfirmed: true })).toMatchObject({ replay: { confirmLive: [] } });
});

test("what a sandbox has, and what it lacks, is one line", () => {
  const words = (files: number, neverVersioned: number | null) =>
    sandboxWords({ problem: null, files, neverVersioned }, 3);
  expect(words(12, 0)).toBe("They work on a copy of the 12 files as of step 3.");
  expect(words(1, 2)).toBe(
    "They work on a copy of the file as of step 3. 2 files were never versioned and are missing in it.",
  );
  expect(words(0, null)).toBe(
    "They begin without files, as step 3 did. Files that were never versioned can't be counted here.",
  );
  expect(sandboxWords({ problem: "Gone.", files: 0, neverVersioned: null }, 3)).toBe("Gone.");
});
