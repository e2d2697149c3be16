import { expect, test } from "vitest";
import { type Answer, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { countEvents, frameIn, readStream } from "@/lib/testing/servers/read-thread-stream";
import { GET as feed } from "../events/route";
import { GET as stream } from "./[threadId]/stream/route";

test("a compaction is in the thread's stream and the user's feed, not in the log of the run before it", async () => {
  const summary = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const late: Answer = () => ({ text: "They talked.", gate: summary.promise });
  const slow: Answer = ({ messages }) => ({
    text: "fine",
    ...(JSON.stringify(messages?.at(-1)).includes("question 4") ? { gate: gate.promise } : {}),
  });
  const { server, ...talk } = await startConversation(
    { compaction: { max_messages: 4, keep_last: 2 } },
    { summary: late, turn: slow },
  );
  await talk.turns(3);
  const { id: threadId } = await talk.thread();
  const reader = readStream(await server.call(stream, { as: "member", params: { threadId } }));
  const pages = readStream(await server.call(feed, { as: "member" }));
  await reader.until((events) => countEvents(events, "run-end") === 1);
  // The next run is already running when the summary arrives.
  const asked = talk.turns(1);
  await reader.until((events) => countEvents(events, "run-start") === 2);
  summary.resolve();
  const told = { threadId, compactionCount: 1 };
  await reader.until((events) => countEvents(events, "thread-compacted") === 1);
  expect(reader.events.map(frameIn)).toContainEqual({ kind: "thread-compacted", data: told });
  await pages.until((events) => countEvents(events, "thread.compacted") === 1);
  expect(pages.events).toContainEqual(
    expect.objectContaining({ event: "thread.compacted", data: JSON.stringify(told) }),
  );
  gate.resolve();
  await asked;
  expect(await server.database.runEvent.count({ where: { type: "compaction.completed" } })).toBe(0);
  for (const { close } of [reader, pages]) await close();
  await server.close();
});
