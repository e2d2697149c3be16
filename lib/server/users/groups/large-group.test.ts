import { expect, test } from "vitest";
import { PATCH as changeGroup } from "@/app/api/groups/[groupId]/route";
import { POST as createGroup } from "@/app/api/groups/route";
import { startTestServer } from "@/lib/testing/servers/test-server";

test("a group of more members than a statement has parameters is made and changed", async () => {
  const server = await startTestServer();
  try {
    const members = Array.from({ length: 1_200 }, (_, index) => `u${index}`);
    const people = members.map((id) => ({ id, name: id, email: `${id}@example.test` }));
    await server.database.user.createMany({ data: people });
    const made = await server.call(createGroup, { as: "admin", body: { name: "Everybody", members } });
    expect(made.status).toBe(201);
    const params = { groupId: (await made.json()).id };
    const change = async (body: object) =>
      (await server.call(changeGroup, { as: "admin", method: "PATCH", params, body })).status;
    expect(await change({ members: members.slice(0, 1_100) })).toBe(200);
    expect(await server.database.groupMember.count()).toBe(1_100);
    expect(await change({ members: members.slice(-1) })).toBe(200);
    expect(await server.database.groupMember.findMany({ select: { userId: true } })).toEqual([{ userId: "u1199" }]);
  } finally {
    await server.close();
  }
});
