import { expect, test } from "vitest";
import { GET as stream } from "@/app/api/runs/[runId]/stream/route";
import { threadStatus } from "@/lib/client/chat/run-status";
import { foldChunks } from "@/lib/server/engine/transcript/fold-transcript";
import type { ChatChunk } from "@/lib/server/engine/transcript/ui-projection-state";
import { getThread } from "@/lib/server/threads/get-thread";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server, newThread, say, decideOn } = approvalServer({ "Write two files": [writes("a.txt"), writes("b.txt")] });

test("the page counts a run's usage once, while it waits and after it has continued", async () => {
  const thread = newThread();
  const asked = await say("Write two files", thread);
  const { threadId } = await server().database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  const shown = async () => {
    const reply = await server().call(stream, { as: "member", params: { runId: asked.run_id } });
    const chunks = parseEventStream(await reply.text()).flatMap(({ data }) => (typeof data === "string" ? [] : [data]));
    return threadStatus(
      [foldChunks(chunks as ChatChunk[])],
      await getThread(server().services, threadId, { id: "member" }),
      true,
    ).usage;
  };
  expect(await shown()).toMatchObject({ totalTokens: asked.usage.total_tokens, costUsd: asked.usage.cost_usd });
  const again = (await (
    await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }])
  ).json()) as typeof asked;
  expect(again.usage.total_tokens).toBeGreaterThan(asked.usage.total_tokens ?? 0);
  expect(await shown()).toMatchObject({ totalTokens: again.usage.total_tokens });
  await decideOn(thread, [{ tool_call_id: idsOf(again)[0], decision: "allow" }]);
  const ended = await server().database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  expect(await shown()).toMatchObject({ totalTokens: ended.inputTokens + ended.outputTokens });
});
