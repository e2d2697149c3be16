import { expect, test } from "vitest";
import { GET as inbox } from "@/app/api/approvals/route";
import { GET as grants } from "@/app/api/grants/route";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server, newThread, say, decideOn } = approvalServer({
  "Write five files": [writes("a.txt", "b.txt", "c.txt", "d.txt", "e.txt")],
  "Write three files": [writes("g1.txt", "g2.txt", "g3.txt")],
});

const read = async (route: typeof inbox, path: string) => {
  const reply = await server().call(route, { as: "member", path });
  return { status: reply.status, ...(await reply.json()) };
};

test("the inbox is paged, longest wait first, and counts everything", async () => {
  const thread = newThread();
  const asked = await say("Write five files", thread);
  const seen: string[] = [];
  let cursor = "";
  do {
    const page = await read(inbox, `/api/approvals?limit=2${cursor}`);
    expect(page.total).toBe(5);
    seen.push(...page.approvals.map(({ toolCallId }: { toolCallId: string }) => toolCallId));
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
  expect(seen.toSorted()).toEqual(idsOf(asked).toSorted());
  expect(await read(inbox, "/api/approvals?cursor=nonsense")).toMatchObject({
    status: 400,
    error: { details: [{ path: "cursor" }] },
  });
});

test("grants are paged, newest first, for one thread or for all", async () => {
  const thread = newThread();
  const asked = await say("Write three files", thread);
  for (const id of idsOf(asked)) await decideOn(thread, [{ tool_call_id: id, decision: "allow", scope: "thread" }]);
  const first = await read(grants, "/api/grants?limit=2");
  const second = await read(grants, `/api/grants?limit=2&cursor=${first.nextCursor}`);
  const paths = [...first.grants, ...second.grants].map(({ args }: { args: { path: string } }) => args.path);
  expect([paths, second.nextCursor]).toEqual([["g3.txt", "g2.txt", "g1.txt"], null]);
  expect((await read(grants, "/api/grants?threadId=th_unknown")).grants).toEqual([]);
  expect((await read(grants, "/api/grants?cursor=nonsense")).status).toBe(400);
});
