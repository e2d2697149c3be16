import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as exportOne } from "@/app/api/threads/[threadId]/export/route";
import { GET as listOf } from "@/app/api/threads/[threadId]/messages/route";
import { GET as getOne } from "@/app/api/threads/[threadId]/route";
import { POST as create } from "@/app/api/threads/route";
import { FIRST_MESSAGES, ThreadDetail, TranscriptPage } from "@/lib/schema/threads/thread";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const LONG = FIRST_MESSAGES * 2 + 10;

describe("the messages of a thread", () => {
  let server: TestServer;
  let threadId: string;
  beforeEach(async () => {
    server = await startTestServer();
    await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
    threadId = (await (await server.call(create, { as: "member", body: { agentId: "writer" } })).json()).id;
  });
  afterEach(() => server.close());

  /** Messages "1" to "count"; positions have gaps, like those of queued runs. */
  const say = (count: number, first = 1, text = (number: number) => String(number)) =>
    server.database.transcriptMessage.createMany({
      data: Array.from({ length: count }, (_, index) => {
        const number = first + index;
        const parts = JSON.stringify([{ type: "text", text: text(number) }]);
        const role = number % 2 === 1 ? "user" : "assistant";
        return { id: `m${number}`, threadId, runId: `run_${number}`, position: number * 3, role, parts, text: "" };
      }),
    });
  const detail = async (query = "") =>
    ThreadDetail.parse(
      await (await server.call(getOne, { as: "member", params: { threadId }, path: `/${query}` })).json(),
    );
  const page = async (query: string) =>
    TranscriptPage.parse(
      await (await server.call(listOf, { as: "member", params: { threadId }, path: `/${query}` })).json(),
    );
  const ids = ({ messages }: { messages: readonly { id: string }[] }) => messages.map(({ id }) => id);
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `m${from + index}`);

  test("a thread is opened with its newest messages and says where earlier ones are", async () => {
    await say(LONG);
    const opened = await detail();
    expect(ids(opened)).toEqual(numbered(LONG - FIRST_MESSAGES + 1, LONG));
    expect(ids(await page(`?cursor=${opened.earlierCursor}&limit=3`))).toEqual(
      numbered(LONG - FIRST_MESSAGES - 2, LONG - FIRST_MESSAGES),
    );
  });

  test("a thread that fits is whole", async () => {
    await say(FIRST_MESSAGES);
    const opened = await detail();
    expect([ids(opened).length, opened.earlierCursor]).toEqual([FIRST_MESSAGES, null]);
  });

  test("a reply says which version of which agent wrote it", async () => {
    await say(2);
    const { id: agentVersionId } = await server.database.agentVersion.findFirstOrThrow({
      where: { agentId: "writer" },
    });
    const { ownerId } = await server.database.thread.findUniqueOrThrow({ where: { id: threadId } });
    const ids = { id: "run_2", threadId, ownerId, agentId: "writer", agentVersionId, traceId: "tr_2" };
    const ended = { status: "completed", endedAt: new Date() };
    await server.database.run.create({ data: { ...ids, ...ended, input: "{}", assistantMessageId: "m2" } });
    const { messages } = await detail();
    expect(messages[1]?.metadata).toMatchObject({ agentName: "Writer", agentVersion: 1 });
  });

  test("pages have every message once, in order, back to the first", async () => {
    await say(25);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const read: TranscriptPage = await page(`?limit=10${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.unshift(...ids(read));
      cursor = read.nextCursor;
    }
    expect(seen).toEqual(numbered(1, 25));
  });

  test("read again from its first place, a thread keeps that and has what was said since", async () => {
    await say(LONG);
    const { earlierCursor } = await detail();
    await say(4, LONG + 1);
    const again = await detail(`?from=${earlierCursor}`);
    expect(ids(again)).toEqual(numbered(LONG - FIRST_MESSAGES + 1, LONG + 4));
    expect(again.earlierCursor).toBe(earlierCursor);
  });

  test("read from its start, a thread has all and nothing earlier", async () => {
    await say(LONG);
    const whole = await detail("?from=0");
    expect([ids(whole), whole.earlierCursor]).toEqual([numbered(1, LONG), null]);
  });

  test("what takes long to send ends a page, but not between a question and its answer", async () => {
    await say(8, 1, () => "x".repeat(150_000));
    expect(ids(await detail())).toEqual(["m7", "m8"]);
    await server.database.transcriptMessage.deleteMany({});
    await say(8, 1, () => "x".repeat(500_000));
    expect(ids(await detail())).toEqual(["m7", "m8"]);
  });

  test("an export has all of it", async () => {
    await say(LONG);
    const file = await server.call(exportOne, { as: "member", params: { threadId }, path: "/?format=json" });
    const exported = await file.json();
    expect([ids(exported), "earlierCursor" in exported]).toEqual([numbered(1, LONG), false]);
  });

  test("someone else's are 404, even for admins", async () => {
    await say(3);
    expect((await server.call(listOf, { as: "admin", params: { threadId } })).status).toBe(404);
  });

  test.each(["?cursor=x", "?cursor=-1", "?cursor=99999999999", "?limit=0", "?limit=201", "?offset=3"])(
    "%s is 400",
    async (path) => {
      expect((await server.call(listOf, { as: "member", params: { threadId }, path: `/${path}` })).status).toBe(400);
    },
  );

  test("an invalid place is 400", async () => {
    const reply = await server.call(getOne, { as: "member", params: { threadId }, path: "/?from=x" });
    expect(reply.status).toBe(400);
  });
});
