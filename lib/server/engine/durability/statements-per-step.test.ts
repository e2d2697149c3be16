import { expect, inject, onTestFinished, test, vi } from "vitest";
import { tracingHook } from "@/lib/hooks/tracing";
import { scriptedModel } from "@/lib/models/scripted-model";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { RunHost } from "@/lib/server/engine/host";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { historyHooks } from "@/lib/server/wiring/history-hooks";
import { countStatements, type StatementCount } from "@/lib/testing/databases/count-statements";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { actionTool } from "@/lib/testing/scripted/test-tools";

const { database } = runDatabase();

const TOOLS = [actionTool("look", async () => "seen", { readOnly: true }), actionTool("act", async () => "done")];
const STEPS = 10;
/** So many steps first, so that what the host does after its start is over. */
const FIRST_STEPS = 5;

/** The statements before the counted steps, of those, of the rest of the run, and of its trace's next batch. */
async function runOf(toolName: string, count: () => StatementCount) {
  const buffer = new SpanBuffer(database());
  const counted: StatementCount[] = [];
  const calls = Array.from({ length: FIRST_STEPS + STEPS }, (_, step) => () => {
    if (step === FIRST_STEPS) counted.push(count());
    return { calls: [{ name: toolName }] };
  });
  const answer = () => {
    counted.push(count());
    return "Done.";
  };
  const model = scriptedModel([...calls, answer]);
  const ended = Promise.withResolvers<void>();
  const host = new RunHost({
    database: database(),
    versionOfRun,
    build: async () => ({ system: [], model, tools: TOOLS, hooks: [tracingHook({ isVerbose: false })] }),
    historyHooks,
    traces: tracePort(database(), buffer),
    afterRun: async () => ended.resolve(),
  });
  await host.start();
  onTestFinished(() => host.stop());
  count();
  await say(database(), "Go");
  await ended.promise;
  counted.push(count());
  await buffer.flush();
  counted.push(count());
  return counted;
}

/** What pg-boss does for itself between two jobs is not a step's. */
const ofEngine = ({ statements }: StatementCount) => statements.filter((text) => !text.includes("pgboss"));

test.each([
  ["only reads stores its events", "look", 1],
  ["acts stores its intent and its events", "act", 2],
])("a step whose call %s, and does nothing else", async (_, toolName, most) => {
  await seedThread(database());
  // Leaves out what is done by time: batches of spans, the host's checks.
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [before, steps, after, trace] = await runOf(toolName, countStatements());
  if (!before || !steps || !after || !trace) throw new Error("The run did not take its steps.");
  expect(ofEngine(steps).length).toBeLessThanOrEqual(most * STEPS);
  expect(steps.commits).toBeLessThanOrEqual(most * STEPS);
  const limits = LIMITS[inject("testDatabase")];
  expect(ofEngine(before).length - most * FIRST_STEPS).toBeLessThanOrEqual(limits.toBegin);
  expect(ofEngine(after).length - most).toBeLessThanOrEqual(limits.toEnd);
  // Spans, calls and steps are one statement each, however many there are.
  expect(trace.statements.filter((text) => /^insert into "(?:span|call|run_step)"/.test(text))).toHaveLength(3);
});

/** Accepting, claiming and preparing a run, and ending it; the host's work after its start may fall into the first. */
const LIMITS = {
  sqlite: { toBegin: 22, toEnd: 10 },
  postgresql: { toBegin: 29, toEnd: 10 },
} as const;
