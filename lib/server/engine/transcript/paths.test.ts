import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { addThread, eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { loadHistory } from "./load-history";
import { loadModelHistory } from "./load-model-history";
import { loadTodos } from "./load-todos";

const { database, startHost, history, statusOf } = runDatabase();

/** What happens to a thread, step by step; numbers choose among the existing runs. */
type Step =
  | { readonly after: number; readonly messages: number; readonly plans: boolean }
  | { readonly compact: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ after: fc.nat(20), messages: fc.integer({ min: 1, max: 3 }), plans: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ compact: fc.nat(20) }) },
  ),
  { minLength: 2, maxLength: 14 },
);

interface KnownRun {
  readonly id: string;
  readonly afterRunId: string | null;
  readonly messages: readonly string[];
  readonly plan: string | null;
}

test("the model of any branch reads exactly what was said on it, once, however it was compacted", async () => {
  await seedThread(database());
  let thread = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const threadId = `th_${++thread}`;
      await addThread(database(), threadId);
      const runs = await play(threadId, plan);
      const { isBranched } = await database().thread.findUniqueOrThrow({ where: { id: threadId } });
      // If all runs are on one path, only its end is checked.
      for (const run of isBranched ? runs : runs.slice(-1)) {
        const path = pathOf(runs, run.id);
        const said = path.flatMap(({ messages }) => messages);
        const read = await loadModelHistory(database(), { threadId, leaf: run.id }, "pair");
        const replaced: string[] = read.summary === null ? [] : JSON.parse(read.summary);
        expect([...replaced, ...read.messages.map(({ content }) => content)]).toEqual(said);
        const all = await loadHistory(database(), { threadId, leaf: run.id });
        expect(all.map(({ content }) => content)).toEqual(said);
        const planned = path.findLast(({ plan: left }) => left !== null)?.plan ?? null;
        const todos = await loadTodos(database(), { threadId, leaf: run.id });
        expect(todos.map(({ title }) => title)).toEqual(planned === null ? [] : [planned]);
      }
      const fresh = await loadModelHistory(database(), { threadId, leaf: null }, "pair");
      if (runs.some(({ afterRunId }, index) => index > 0 && afterRunId === null)) expect(fresh.messages).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** Rows as the engine leaves them. */
async function play(threadId: string, plan: readonly Step[]): Promise<KnownRun[]> {
  const runs: KnownRun[] = [];
  const version = await database().agentVersion.findFirstOrThrow();
  let [said, branched] = [0, false];
  for (const [index, step] of plan.entries()) {
    if ("compact" in step) {
      const leaf = branched ? runs[step.compact % runs.length] : runs.at(-1);
      if (leaf) await compact(threadId, runs, leaf, `${threadId}_c${index}`);
      continue;
    }
    // 0 starts the thread over.
    const after = runs[(step.after % (runs.length + 1)) - 1] ?? null;
    const id = `${threadId}_r${index}`;
    branched ||= runs.some(({ afterRunId }) => afterRunId === (after?.id ?? null));
    const messages = Array.from({ length: step.messages }, () => `message ${++said}`);
    const todo = step.plans ? `plan of ${id}` : null;
    await database().run.create({
      data: {
        id,
        threadId,
        ownerId: "u1",
        agentId: "agent",
        agentVersionId: version.id,
        traceId: `tr_${id}`,
        input: "{}",
        assistantMessageId: `msg_${id}`,
        position: index + 1,
        status: "completed",
        afterRunId: after?.id ?? null,
        endedAt: new Date(0),
        todos: todo === null ? null : JSON.stringify([{ id: "1", title: todo, status: "pending" }]),
      },
    });
    await database().message.createMany({
      data: messages.map((content, offset) => ({
        id: `${id}_${offset}`,
        threadId,
        runId: id,
        position: said - messages.length + offset + 1,
        role: offset === 0 ? "user" : "assistant",
        content,
      })),
    });
    await database().thread.update({
      where: { id: threadId },
      data: { leafRunId: id, isBranched: branched },
    });
    runs.push({ id, afterRunId: after?.id ?? null, messages, plan: todo });
  }
  return runs;
}

/** All but the last message of what the model reads; the summary names every message that it replaces. */
async function compact(threadId: string, runs: readonly KnownRun[], leaf: KnownRun, id: string): Promise<void> {
  const read = await loadModelHistory(database(), { threadId, leaf: leaf.id }, "pair");
  const cut = read.messages.at(-2);
  if (!cut?.id) return;
  const said = pathOf(runs, leaf.id).flatMap(({ messages }) => messages);
  const summary = JSON.stringify(said.slice(0, said.indexOf(cut.content) + 1));
  const count = read.compactionCount + 1;
  await database().compaction.create({
    data: { id, threadId, afterRunId: leaf.id, cutMessageId: cut.id, summary, count },
  });
}

function pathOf(runs: readonly KnownRun[], leaf: string): KnownRun[] {
  const run = runs.find(({ id }) => id === leaf);
  if (!run) return [];
  return [...(run.afterRunId === null ? [] : pathOf(runs, run.afterRunId)), run];
}

test("a run of a branch reads what was said before it there, and the next message follows it", async () => {
  await seedThread(database());
  const asking = scriptedModel(["answer 1", "answer 2", "answer 3", "answer 4", "answer 5"]);
  await startHost({ model: asking });
  const first = await say(database(), "one");
  await eventsToEnd(database(), first.runId);
  const second = await say(database(), "two");
  await eventsToEnd(database(), second.runId);
  const edited = await say(database(), "two, edited", { branch: { afterRunId: first.runId } });
  await eventsToEnd(database(), edited.runId);
  const next = await say(database(), "three");
  await eventsToEnd(database(), next.runId);
  expect(readBy(asking)).toEqual(["one", "answer 1", "two, edited", "answer 3", "three"]);
  const again = await say(database(), "one, again", { branch: { afterRunId: null } });
  await eventsToEnd(database(), again.runId);
  expect(readBy(asking)).toEqual(["one, again"]);
  expect(await history()).toEqual(["user: one, again", "assistant: answer 5"]);
  const rows = await database().run.findMany({ orderBy: { position: "asc" }, select: { id: true, afterRunId: true } });
  expect(rows.map(({ afterRunId }) => afterRunId)).toEqual([null, first.runId, first.runId, edited.runId, null]);
});

test("a run that waits on another branch is not declined by a message, which queues behind it", async () => {
  await seedThread(database());
  const first = await say(database(), "one");
  const { runId: waiting } = first;
  await database().run.update({ where: { id: waiting }, data: { status: "waiting", waitingFor: "approval" } });
  const other = await say(database(), "one, edited", { branch: { afterRunId: null } });
  expect([await statusOf(waiting), await statusOf(other.runId)]).toEqual(["waiting", "queued"]);
  const behind = await say(database(), "and two");
  expect([await statusOf(waiting), await statusOf(behind.runId)]).toEqual(["waiting", "queued"]);
  await database().thread.update({ where: { id: "th1" }, data: { leafRunId: waiting } });
  await say(database(), "instead of deciding");
  await reached(async () => (await statusOf(waiting)) === "cancelled");
});

/** The messages sent with the last model call. */
function readBy(model: ReturnType<typeof scriptedModel>): string[] {
  return model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
}
