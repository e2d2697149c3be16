import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as lookAtLink } from "@/app/api/account-links/look/route";
import { DELETE as revoke } from "@/app/api/api-keys/[keyId]/route";
import { GET as getBoard } from "@/app/api/boards/[boardId]/route";
import { POST as openBoard } from "@/app/api/boards/route";
import { POST as renewInvitation } from "@/app/api/invitations/[invitationId]/renew/route";
import { GET as listInvitations } from "@/app/api/invitations/route";
import { GET as openShare } from "@/app/api/shares/[token]/route";
import { POST as shareThread } from "@/app/api/threads/[threadId]/share/route";
import { POST as makePasswordLink } from "@/app/api/users/[userId]/password-link/route";
import { POST as invite } from "@/app/api/users/invite/route";
import { sweepBoards } from "@/lib/server/triggers/boards/tick-board";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "k1", { name: "k1", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "admin", agentId: "k1" });
});
afterEach(() => server.close());

const HOUR_MS = 3_600_000;
const MEMBERS = { name: "Team", members: ["k1"] };

async function newKey(expiresAt: Date | null) {
  const text = await server.addKey("admin", ["admin"]);
  const { id } = await server.database.apiKey.findFirstOrThrow({
    orderBy: { createdAt: "desc" },
    where: { userId: "admin" },
  });
  await server.database.apiKey.update({ where: { id }, data: { expiresAt } });
  return { id, text, end: () => server.call(revoke, { as: "admin", method: "DELETE", params: { keyId: id } }) };
}

/** What is made, and whether it still opens. */
const HANDED_OUT = {
  "a link to a thread": {
    make: async (key?: string) =>
      (await server.call(shareThread, { ...who(key), params: { threadId: "th1" }, body: {} })).json(),
    opens: async ({ url }: Made) =>
      (await server.call(openShare, { as: "member", params: { token: url.split("/").at(-1) ?? "" } })).ok,
  },
  "an invitation": {
    make: async (key?: string) =>
      (await server.call(invite, { ...who(key), body: { email: "new@example.test", role: "admin" } })).json(),
    opens: opensLink,
  },
  "a renewed invitation": {
    make: async (key?: string) => {
      await server.call(invite, { as: "admin", body: { email: "new@example.test", role: "admin" } });
      const { invitations } = await (await server.call(listInvitations, { as: "admin" })).json();
      return (await server.call(renewInvitation, { ...who(key), params: { invitationId: invitations[0].id } })).json();
    },
    opens: opensLink,
  },
  "a link for a password": {
    make: async (key?: string) =>
      (await server.call(makePasswordLink, { ...who(key), params: { userId: "member" } })).json(),
    opens: opensLink,
  },
} as const;

interface Made {
  readonly url: string;
  readonly expiresAt: string | null;
}

const who = (key?: string) => ({ method: "POST", ...(key === undefined ? ({ as: "admin" } as const) : { key }) });

async function opensLink({ url }: Made): Promise<boolean> {
  return (await server.call(lookAtLink, { body: { token: url.split("token=")[1] } })).ok;
}

test.each(Object.entries(HANDED_OUT))("%s that was made with a key ends with it", async (_, { make, opens }) => {
  const key = await newKey(new Date(Date.now() + HOUR_MS));
  const own = await make();
  expect(await opens(own)).toBe(true);
  const made: Made = await make(key.text);
  expect(await opens(made)).toBe(true);
  expect(Date.parse(made.expiresAt ?? "")).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  expect((await key.end()).ok).toBe(true);
  expect(await opens(made)).toBe(false);
});

test.each(Object.entries(HANDED_OUT))("%s of a person outlasts their keys", async (_, { make, opens }) => {
  const key = await newKey(null);
  const own: Made = await make();
  await key.end();
  expect(await opens(own)).toBe(true);
});

test("a share never shows with which key it was made", async () => {
  const key = await newKey(null);
  const { url } = await HANDED_OUT["a link to a thread"].make(key.text);
  const page = await server.call(openShare, { as: "member", params: { token: url.split("/").at(-1) } });
  expect(await page.text()).not.toContain(key.id);
});

test("a board stops at once, with the reason, when its key is revoked; others go on", async () => {
  const key = await newKey(null);
  const { id } = await (await server.call(openBoard, { key: key.text, body: MEMBERS })).json();
  const other = await (await server.call(openBoard, { key: (await newKey(null)).text, body: MEMBERS })).json();
  await key.end();
  const shown = async (boardId: string) => (await server.call(getBoard, { as: "admin", params: { boardId } })).json();
  expect(await shown(id)).toMatchObject({ stoppedReason: "The API key that it was made with has been revoked." });
  expect((await shown(id)).stoppedAt).not.toBeNull();
  expect((await shown(other.id)).stoppedAt).toBeNull();
});

test("a board without work stops when its key has expired, at the next sweep", async () => {
  const key = await newKey(new Date(Date.now() + HOUR_MS));
  const { id } = await (await server.call(openBoard, { key: key.text, body: MEMBERS })).json();
  await sweepBoards(server.services);
  const row = () => server.database.board.findUniqueOrThrow({ where: { id } });
  expect((await row()).stoppedAt).toBeNull();
  await server.database.apiKey.update({ where: { id: key.id }, data: { expiresAt: new Date(Date.now() - 1) } });
  await sweepBoards(server.services);
  expect((await row()).stoppedReason).toBe("The API key that it was made with has expired.");
});
