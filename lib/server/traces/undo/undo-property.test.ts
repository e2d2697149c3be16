import { beforeAll, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { undoing, writeCall } from "@/lib/testing/traces/undo-runs";

const PATHS = ["a.md", "b.md", "deep/c.txt", "deep/d.txt", "e", "MEMORY.md"];
const CASES = 12;

/** Numbers from 0 to below 1, the same in every run of the test. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const next = numbersFrom(20_261_129);
const someOf = <Item>(items: readonly Item[], share: number): Item[] => items.filter(() => next() < share);

/** Some steps, each of which writes some files; the same file may be written several times, also with an earlier text. */
function randomTurns() {
  const steps = Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({
    calls: someOf(PATHS, 0.45).map((path) => writeCall(path, `text ${Math.floor(next() * 6)}\n`)),
  }));
  return [...steps.filter(({ calls }) => calls.length > 0), { text: "done" }];
}

const numbers = Array.from({ length: CASES }, (_, index) => index);
const chat = approvalServer(
  Object.fromEntries(
    numbers.flatMap((number) => [`Before ${number}`, `Work ${number}`].map((words) => [words, randomTurns()])),
  ),
);
const { run, undo, takeBack, filesOf, edit } = undoing(chat);

beforeAll(async () => {
  const raw = { name: "W", model: "scripted:m", retries: 0, backend: { type: "state", scope: "thread" } };
  await createAgent(processServices(), {
    agentId: "worker",
    raw: { ...raw, system_prompt: "You write." },
    createdById: null,
  });
});

test.each(numbers)(
  "random run %i: undone, all of its files are as before it, and taken back as after it",
  async (number) => {
    const thread = chat.newThread();
    await run(`Before ${number}`, thread);
    await edit(thread, "of-a-person.txt", "untouched");
    const before = await filesOf(thread);
    const runId = await run(`Work ${number}`, thread);
    const after = await filesOf(thread);
    const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
    expect((await undo(runId)).status).toBe(hasChanged ? 200 : 409);
    expect(await filesOf(thread)).toEqual(before);
    if (!hasChanged) return;
    expect((await takeBack(runId)).status).toBe(200);
    expect(await filesOf(thread)).toEqual(after);

    const edited = someOf(Object.keys(after), 0.4);
    for (const path of edited) await edit(thread, path, "of a person");
    const reply = await undo(runId);
    const left = await filesOf(thread);
    for (const path of edited) expect([path, left[path]]).toEqual([path, "of a person"]);
    const others = Object.keys({ ...before, ...after }).filter((path) => !edited.includes(path));
    if (reply.status === 200) for (const path of others) expect([path, left[path]]).toEqual([path, before[path]]);
    const kept = Object.keys(left).filter((path) => path.includes("(before undo)"));
    for (const path of kept) expect(left[path]).toBe(before[path.replace(" (before undo)", "")]);
  },
);
