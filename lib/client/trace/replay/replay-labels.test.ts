import { expect, test } from "vitest";
import type { Replay, ReplayRow, ReplayRun } from "@/lib/schema/traces/replay";
import { estimateText, shareText, verdictOf } from "./replay-labels";

const run = (more: Partial<ReplayRun> = {}): ReplayRun => ({
  ...{ runId: "run_1", traceId: "tr_1", status: "completed", firstDifference: null, sameCalls: true, error: null },
  ...{ costUsd: 0.1, workedMs: 1000 },
  ...more,
});

const row = (more: Partial<ReplayRow> = {}): ReplayRow => ({
  ...{ step: 2, kind: "call", tool: "grep", gist: "x", isRecorded: true, unchanged: ["same"], changed: ["same"] },
  why: "same",
  ...more,
});

const CONTROL = { id: "rpl_0", runs: [run()], same: { runs: 1, of: 1 } };

const replay = (more: Partial<Replay> = {}): Replay => ({
  ...{
    id: "rpl_1",
    runId: "run",
    traceId: "tr",
    title: "Title",
    agentName: "Coder",
    agentVersion: 1,
    ownerName: "Ada",
  },
  ...{ createdAt: "", fromStep: 1, steps: 3, isUnchanged: false, changes: ["another prompt"], runs: [run()] },
  ...{ same: { runs: 1, of: 1 }, control: CONTROL, rows: [row()], totals: [] },
  ...more,
});

test("while runs go on the verdict says how many have ended, those of the control too", () => {
  const { title } = verdictOf(replay({ runs: [run(), run({ status: "running", sameCalls: null })] }));
  expect(title).toBe("2 of 3 runs ended");
});

test("a difference by the change is named with its step, and others are counted", () => {
  const missing = row({ changed: ["missing"], why: "change" });
  const made = row({ tool: "read_file", isRecorded: false, unchanged: ["absent"], changed: ["new"], why: "change" });
  expect(verdictOf(replay({ rows: [missing, made, row()] })).title).toBe(
    "The change made a difference: grep is not called in step 2, and 1 more",
  );
  expect(verdictOf(replay({ rows: [made] })).title).toBe("The change made a difference: read_file is called in step 2");
});

test("no difference, chance and no control are three different sentences", () => {
  expect(verdictOf(replay()).title).toBe("The change made no difference: the same calls and the same answer");
  const chance = row({ unchanged: ["differs"], changed: ["differs"], why: "chance" });
  expect(verdictOf(replay({ rows: [chance] }))).toEqual({
    title: "What differs also differs without the change",
    detail: "Unchanged, 1 of 1 run made the recorded calls. What differs there too is chance: 1 row.",
  });
  const unknown = row({ unchanged: [], changed: ["differs"], why: "unknown" });
  expect(verdictOf(replay({ rows: [unknown], control: null })).title).toBe(
    "Can't tell what the change did: there is no unchanged replay beside it",
  );
  expect(shareText(unknown)).toBe("1 of 1, no control");
  expect(shareText(chance)).toBe("1 of 1, control 1 of 1");
});

test("runs that wait for a person are counted while a replay goes on", () => {
  const waiting = run({ status: "waiting", sameCalls: null });
  expect(verdictOf(replay({ runs: [waiting, waiting] })).detail).toBe("2 runs wait for your answers.");
  expect(verdictOf(replay({ runs: [run({ status: "running" }), waiting] })).detail).toBe(
    "1 run waits for your answer.",
  );
});

test("an unchanged replay that leaves the recording says where", () => {
  const error = "execute has no recorded result for these arguments: {}";
  const failed = run({ status: "failed", sameCalls: false, error });
  const verdict = verdictOf(replay({ isUnchanged: true, control: null, runs: [failed], same: { runs: 0, of: 1 } }));
  expect(verdict).toEqual({
    title: "Unchanged, 0 of 1 run made the recorded calls",
    detail: `The unchanged replay does not follow the recording: ${error}. Let such calls run in the sandbox, or ask.`,
  });
});

test("the estimate counts the steps that are run again", () => {
  const plan = {
    ...{ runId: "run", steps: 4, problem: null, message: null, systemPrompt: null, model: "m", models: [], version: 1 },
    ...{
      versions: [],
      hasDraft: false,
      calls: [],
      costUsd: 0.4,
      workedMs: 8000,
      replays: [],
      tools: [],
      sandbox: { problem: null, files: 0, neverVersioned: 0 },
    },
  };
  expect(estimateText(plan, 3, 6)).toBe("6 runs, about $1.200, 4.0 s each");
  expect(estimateText({ ...plan, costUsd: null, workedMs: null }, 1, 1)).toBe("1 run");
});
