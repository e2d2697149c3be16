import { expect, test } from "vitest";
import { GET as inbox } from "@/app/api/approvals/route";
import { DELETE as revoke } from "@/app/api/grants/[grantId]/route";
import { GET as grants } from "@/app/api/grants/route";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server, newThread, say, decideOn } = approvalServer({
  "Write five files": [writes("a.txt", "b.txt", "c.txt", "d.txt", "e.txt")],
  "Write three files": [writes("g1.txt", "g2.txt", "g3.txt")],
  "Write one file": [writes("one.txt")],
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

test("an administrator sees everybody's grants or one person's and revokes them; others only their own", async () => {
  const thread = newThread();
  const asked = await say("Write one file", thread);
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" }]);
  const seen = async (as: "admin" | "member", owner: string) => {
    const reply = await server().call(grants, { as, path: `/api/grants${owner}` });
    return { status: reply.status, ...(await reply.json()) };
  };
  expect((await seen("admin", "")).grants).toEqual([]);
  const all = (await seen("admin", "?ownerId=everyone")).grants;
  const [newest] = all;
  expect(newest).toMatchObject({ ownerId: "member", ownerName: "The member", args: { path: "one.txt" } });
  expect((await seen("admin", "?ownerId=member")).grants).toEqual(all);
  expect((await seen("admin", "?ownerId=nobody")).grants).toEqual([]);
  for (const owner of ["everyone", "admin"]) {
    expect(await seen("member", `?ownerId=${owner}`)).toMatchObject({ status: 403, error: { code: "forbidden" } });
  }
  expect((await seen("member", "")).grants[0]).not.toHaveProperty("ownerId");
  const revokeIt = () => server().call(revoke, { as: "admin", method: "DELETE", params: { grantId: newest.id } });
  expect([(await revokeIt()).status, (await revokeIt()).status]).toEqual([204, 404]);
  const entries = await server().database.auditEntry.findMany({ where: { target: `grant:${newest.id}` } });
  expect(entries.map(({ actorId, action }) => [actorId, action])).toContainEqual(["admin", "grant.revoked"]);
  expect((await say("Write one file", thread)).status).toBe("waiting");
});
