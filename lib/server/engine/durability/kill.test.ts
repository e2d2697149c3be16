import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { loadHistory } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";

/** The step of 25 that is killed, each in its own run; the step runs a tool of this kind. */
const KILLED = {
  model: [1, 9, 17, 25],
  read: [1, 9, 17, 23],
  write: [2, 10, 18, 24],
} as const;

const runHost = (...args: string[]) => runProcess("lib/testing/processes/killable-host.ts", ...args);

/** How often each step's tool ran. */
function countEffects(file: string, runId: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [run, step] = line.split(" ");
    if (run === runId) counts.set(Number(step), (counts.get(Number(step)) ?? 0) + 1);
  }
  return counts;
}

async function checkRun(database: Database, runId: string, thread: string): Promise<string[]> {
  const run = await database.run.findUniqueOrThrow({ where: { id: runId } });
  expect(run).toMatchObject({ status: "completed", takeovers: 1, steps: 25, errorMessage: null });
  const history = await loadHistory(database, { threadId: thread });
  expect(history[0]).toMatchObject({ role: "user", content: `Go, ${thread}` });
  expect(history).toHaveLength(1 + 25 + 24);
  expect(await database.transcriptMessage.count({ where: { runId } })).toBe(2);
  expect(await database.span.count({ where: { runId, endedAt: null } })).toBe(0);
  return history.flatMap((message) => (message.role === "tool" ? [message.content] : []));
}

/**
 * What a process had recorded in its last 100 ms goes with it. What is stored has an end, and what the next process did
 * after the killed step is there as a whole.
 */
async function checkRows(database: Database, runId: string, killedStep: number): Promise<void> {
  const calls = await database.call.findMany({ where: { runId }, orderBy: { step: "asc" } });
  expect(calls.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  const later = (rows: readonly { step: number }[]) => rows.map(({ step }) => step).filter((step) => step > killedStep);
  const after = (last: number) => Array.from({ length: last - killedStep }, (_, index) => killedStep + 1 + index);
  expect(later(calls)).toEqual(after(24));
  expect(calls.filter(({ step, status }) => step > killedStep && status !== "completed")).toEqual([]);
  const steps = await database.runStep.findMany({ where: { runId }, orderBy: { step: "asc" } });
  expect(later(steps)).toEqual(after(26));
}

test.concurrent.for(["model", "read", "write"] as const)(
  "a run that is killed in a %s step is finished by the next process, and nothing finished runs twice",
  { timeout: 110_000 },
  async (place) => {
    const { database, url, close } = await createTestDatabase();
    const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-kill-"));
    const effects = path.join(directory, "effects");
    await seedThread(database, { max_iterations: 30 });
    const runs: { step: number; thread: string; runId: string }[] = [];
    for (const step of KILLED[place]) {
      const thread = `killed_${step}`;
      await addThread(database, thread);
      const killed = await runHost(url, effects, thread, place, String(step));
      expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
      runs.push({ step, thread, runId: killed.output.trim() });
    }
    expect(await runHost(url, effects)).toMatchObject({ code: 0, errors: "" });
    for (const { step, thread, runId } of runs) {
      const results = await checkRun(database, runId, thread);
      await checkRows(database, runId, step);
      const counts = countEffects(effects, runId);
      for (let other = 1; other < 25; other++) {
        expect(counts.get(other)).toBe(place === "read" && other === step ? 2 : 1);
        const isUnknown = place === "write" && other === step;
        expect(results[other - 1]).toMatch(isUnknown ? /interrupted: outcome unknown/ : `did ${other}`);
      }
    }
    await close();
    rmSync(directory, { recursive: true });
  },
);
