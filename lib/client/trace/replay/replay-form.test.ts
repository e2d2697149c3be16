import { expect, test } from "vitest";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { liveTools, recordedForm, replaySchema } from "./replay-form";
import { sandboxSentence } from "./tool-policy-labels";

const PLAN: ReplayPlan = {
  ...{ runId: "run", steps: 4, problem: null, message: null, systemPrompt: null, model: "m", models: [], version: 1 },
  ...{ versions: [], hasDraft: false },
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
  expect(liveTools(PLAN.tools, { tools: "sandbox", per: [] })).toEqual([]);
  expect(await sent({ tools: "live", isConfirmed: true })).toMatchObject({ replay: { confirmLive: ["send_mail"] } });
  expect(await sent({ tools: "live" })).toMatchObject({ replay: { confirmLive: [] } });
  expect(await sent({ tools: "sandbox", isConfirmed: true })).toMatchObject({ replay: { confirmLive: [] } });
});

test("what a sandbox has, and what it lacks, is one line", () => {
  const words = (files: number, neverVersioned: number | null) =>
    sandboxSentence({ problem: null, files, neverVersioned }, 3);
  expect(words(12, 0)).toBe("They work on a copy of the 12 files as of step 3.");
  expect(words(1, 2)).toBe(
    "They work on a copy of the file as of step 3. 2 files were never versioned and are missing in it.",
  );
  expect(words(0, null)).toBe(
    "They begin without files, as step 3 did. Files that were never versioned can't be counted here.",
  );
  expect(sandboxSentence({ problem: "Gone.", files: 0, neverVersioned: null }, 3)).toBe("Gone.");
});

test("a tool may have a policy of its own, and only those that run live are confirmed", async () => {
  const per = ["", "live", ""];
  expect(liveTools(PLAN.tools, { ...recordedForm(PLAN, 1), per: ["", "live", ""] })).toEqual(["send_mail"]);
  expect(await sent({ per, isConfirmed: true, onMiss: "ask" })).toMatchObject({
    replay: {
      tools: { default: "recorded", on_miss: "ask", per: { send_mail: "live" } },
      confirmLive: ["send_mail"],
      reuse_decisions: true,
    },
  });
  expect(await sent({ tools: "live", per: ["recorded", "fail", "live"], isConfirmed: true })).toMatchObject({
    replay: {
      tools: { default: "live", on_miss: "fail", per: { read_file: "recorded", send_mail: "fail", lost: "recorded" } },
      confirmLive: [],
    },
  });
  expect(await sent({ per: ["fixed", "", ""], fixed: ["No such file.", "", ""] })).toMatchObject({
    replay: { tools: { per: { read_file: { fixed: "No such file." } } } },
  });
});

test("a version, the draft and the arguments of a call are changes", async () => {
  expect(await sent({ version: "2" })).toMatchObject({ replay: { with: { version: 2 } } });
  expect(await sent({ version: "draft" })).toMatchObject({ replay: { with: { draft: true } } });
  const call = { callId: "call_1", callPart: "args", args: '{"path": "b.txt"}', result: "unused" };
  expect(await sent(call)).toMatchObject({ replay: { with: { args: { call_1: { path: "b.txt" } } } } });
  const { replay } = await sent({ ...call, callPart: "result" });
  expect(replay.with).toEqual({ results: { call_1: "unused" } });
  await expect(sent({ ...call, args: "path" })).rejects.toThrow(/with/);
});
