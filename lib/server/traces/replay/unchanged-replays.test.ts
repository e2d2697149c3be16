import { beforeAll, expect, test, vi } from "vitest";
import { GET as getReplay } from "@/app/api/replays/[replayId]/route";
import { POST as postReplay } from "@/app/api/replays/route";
import type { Replay, StartedReplay } from "@/lib/schema/traces/replay";
import { createAgent } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

const RUNS = 100;
const TIME_LIMIT_MS = 240_000;

/** The same numbers each time, between 0 and 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const next = numbersFrom(29);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;

/** A call that succeeds, fails, is refused its arguments, or is of no tool; often one that was made before. */
function randomCall() {
  const path = pick(["a.txt", "b.txt", "none/c.txt"]);
  return pick([
    { name: "read_file", args: { path } },
    { name: "read_file", args: { path, limit: "2" } },
    { name: "write_file", args: { path, content: pick(["one", "two\n".repeat(400)]) } },
    { name: "write_file", args: { content: "no path" } },
    { name: "glob", args: { pattern: "*.txt" } },
    { name: "no_such_tool", args: { path } },
    { name: "write_todos", args: { todos: [{ id: "1", title: pick(["First", "Second"]), status: "pending" }] } },
  ]);
}

function randomTurns(): ScriptedAnswer[] {
  const steps = Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({
    text: pick(["", "Then."]),
    calls: Array.from({ length: 1 + Math.floor(next() * 3) }, randomCall),
  }));
  return [...steps, { text: "Done." }];
}

const TURNS = Object.fromEntries(Array.from({ length: RUNS }, (_, index) => [`Message ${index}`, randomTurns()]));
const { server, newThread, say } = approvalServer(TURNS);

beforeAll(async () => {
  const raw = { name: "Worker", model: "scripted:m", retries: 0, backend: { type: "state", scope: "thread" } };
  await createAgent(server().services, {
    agentId: "worker",
    raw: { ...raw, tools: ["write_todos"] },
    createdById: null,
  });
});

test(
  `an unchanged replay of ${RUNS} recorded runs, each from a step of its own, makes the same calls in all of them`,
  async () => {
    const started: StartedReplay[] = [];
    let thread = newThread();
    for (const [index, words] of Object.keys(TURNS).entries()) {
      if (index % 5 === 0) thread = newThread();
      const { run_id: runId } = await say(words, thread, "worker");
      await flushSpans();
      await server().database.runEvent.deleteMany();
      const { steps } = await server().database.run.findUniqueOrThrow({ where: { id: runId } });
      const body = { runId, fromStep: 1 + Math.floor(next() * steps) };
      const reply = await server().call(postReplay, { as: "member", method: "POST", path: "/api/replays", body });
      expect(reply.status).toBe(202);
      started.push(await reply.json());
    }
    await vi.waitFor(
      async () => {
        expect(await server().database.run.count({ where: { origin: "replay", endedAt: null } })).toBe(0);
      },
      { timeout: 60_000, interval: 250 },
    );
    const odd: unknown[] = [];
    for (const { replayId } of started) {
      const replay: Replay = await (await server().call(getReplay, { as: "member", params: { replayId } })).json();
      if (replay.same.runs === 1 && replay.runs[0]?.firstDifference === null) continue;
      odd.push({ runId: replay.runId, fromStep: replay.fromStep, runs: replay.runs, rows: replay.rows });
    }
    expect(odd).toEqual([]);
  },
  TIME_LIMIT_MS,
);
