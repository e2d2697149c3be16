import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PATCH as patchSettings } from "@/app/api/settings/route";
import { GET as fileRoute } from "@/app/api/shares/[token]/files/route";
import { GET as openRoute } from "@/app/api/shares/[token]/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { POST as restoreRoute } from "@/app/api/threads/[threadId]/restore/route";
import { DELETE as deleteThreadRoute } from "@/app/api/threads/[threadId]/route";
import { DELETE as revokeRoute, POST as shareRoute, GET as stateRoute } from "@/app/api/threads/[threadId]/share/route";
import { POST as createRoute } from "@/app/api/threads/route";
import { SharedPage } from "@/lib/schema/threads/share";
import { sharedMessages } from "@/lib/server/threads/shares/shared-messages";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

const WRITE = {
  reasoning: "SECRET-REASONING",
  calls: [{ name: "write_file", args: { path: "SECRET-PATH.md", content: "SECRET-CONTENT" } }],
};
const READ = { calls: [{ name: "read_file", args: { path: "SECRET-PATH.md" } }] };

let server: RunServer;
let threadId: string;
beforeEach(async () => {
  server = await startRunServer([WRITE, READ, { text: "All is written." }]);
  threadId = await startThread();
  await say(threadId, "Write it down.");
});
afterEach(() => server.close());

async function startThread(): Promise<string> {
  return (await (await server.call(createRoute, { as: "member", body: { agentId: "coder" } })).json()).id;
}

async function say(id: string, content: string): Promise<void> {
  const sent = await server.call(sendRoute, { as: "member", params: { threadId: id }, body: { content } });
  const { runId } = await sent.json();
  const find = () => server.database.run.findUniqueOrThrow({ where: { id: runId } });
  await expect.poll(async () => (await find()).endedAt, { timeout: 10_000 }).not.toBeNull();
}

async function share(body: object = {}) {
  const reply = await server.call(shareRoute, { as: "member", params: { threadId }, body });
  expect(reply.status).toBe(201);
  const { url } = await reply.json();
  return { url, token: String(url.split("/share/")[1]) };
}
const open = (token: string, as?: "viewer" | "member") =>
  server.call(openRoute, { params: { token }, ...(as ? { as } : {}) });
const read = async (token: string) => SharedPage.parse(await (await open(token, "viewer")).json());
const makePublic = () => server.call(patchSettings, { as: "admin", method: "PATCH", body: { publicShares: true } });

describe("what a link shows", () => {
  test("texts and names of tools, and nothing else", async () => {
    const page = await read((await share()).token);
    const text = JSON.stringify(page);
    expect(text).toContain("Write it down.");
    expect(text).toContain("All is written.");
    expect(text).toContain("write_file");
    const { title, agentName, include, files } = page;
    expect({ title, agentName, include, files }).toEqual({
      title: "Write it down.",
      agentName: "Coder",
      include: [],
      files: [],
    });
    const ids = await server.database.run.findMany({ select: { id: true, traceId: true } });
    const unsaid = [
      "SECRET",
      "member",
      "costUsd",
      "usage",
      "scripted:",
      ...ids.flatMap(({ id, traceId }) => [id, traceId]),
    ];
    for (const secret of [...unsaid, threadId]) expect(text).not.toContain(secret);
  });

  test.each([
    ["arguments", ["SECRET-PATH.md", "SECRET-CONTENT"], ["SECRET-REASONING", "costUsd"]],
    ["results", ["SECRET-CONTENT"], ["SECRET-REASONING", "costUsd"]],
    ["reasoning", ["SECRET-REASONING"], ["SECRET-PATH", "SECRET-CONTENT", "costUsd"]],
    ["cost", ["costUsd", "usage"], ["SECRET"]],
    ["files", ["SECRET-PATH.md"], ["SECRET-CONTENT", "SECRET-REASONING", "costUsd"]],
  ])("with %s ticked, those too", async (name, shown, hidden) => {
    const text = JSON.stringify(await read((await share({ include: [name] })).token));
    for (const word of shown) expect(text).toContain(word);
    for (const word of hidden) expect(text).not.toContain(word);
  });

  test("a part of a kind that is not known here is not shared", () => {
    const parts = [
      { type: "data-secret", data: "SECRET" },
      { type: "text", text: "Hi", secret: "SECRET" },
    ];
    const shown = sharedMessages(
      [{ id: "m", role: "user", parts, metadata: { runId: "r", secret: "SECRET" } }],
      new Set(),
      "share",
    );
    expect(JSON.stringify(shown)).not.toContain("SECRET");
    expect(shown[0]?.parts).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("the thread as it was: what is written later is not in it", async () => {
    const { token } = await share();
    await say(threadId, "LATER");
    expect(JSON.stringify(await read(token))).not.toContain("LATER");
  });

  test("files only of the share, by their paths", async () => {
    const { token } = await share({ include: ["files"] });
    const get = (path: string, of = token) =>
      server.call(fileRoute, { as: "viewer", params: { token: of }, path: `/?path=${encodeURIComponent(path)}` });
    const reply = await get("SECRET-PATH.md");
    expect(await reply.text()).toBe("SECRET-CONTENT");
    expect(reply.headers.get("content-security-policy")).toBe("sandbox");
    for (const path of ["other.md", "../SECRET-PATH.md", "/etc/passwd"]) expect((await get(path)).status).toBe(404);
    const without = await share();
    expect((await get("SECRET-PATH.md", without.token)).status).toBe(404);
  });

  test("nothing of another thread", async () => {
    const other = await startThread();
    await say(other, "OTHER-THREAD");
    expect(JSON.stringify(await read((await share({ include: ["arguments", "results"] })).token))).not.toContain(
      "OTHER",
    );
  });
});

describe("who can open it", () => {
  test("people who are signed in; everybody once an administrator says so, and no longer", async () => {
    const { token } = await share();
    expect((await open(token)).status).toBe(401);
    expect((await open(token, "viewer")).status).toBe(200);
    await makePublic();
    expect((await open(token)).status).toBe(200);
    await server.call(patchSettings, { as: "admin", method: "PATCH", body: { publicShares: false } });
    expect((await open(token)).status).toBe(401);
  });

  test("not a key that reaches only some agents", async () => {
    const { token } = await share();
    const key = await server.addKey("viewer", ["read"]);
    await server.database.apiKey.updateMany({ where: { userId: "viewer" }, data: { agents: '["plain"]' } });
    expect((await server.call(openRoute, { params: { token }, key })).status).toBe(403);
  });

  test("nobody without the whole token, which is stored nowhere", async () => {
    await makePublic();
    const { token } = await share();
    const row = await server.database.share.findFirstOrThrow();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token);
    for (const wrong of [token.slice(0, -1), `${token}A`, row.tokenHash, row.id, threadId]) {
      expect((await open(wrong)).status).toBe(404);
    }
  });

  test("it is the owner's to make, to see and to revoke", async () => {
    await share();
    const calls = [
      server.call(shareRoute, { as: "admin", params: { threadId }, body: {} }),
      server.call(stateRoute, { as: "admin", params: { threadId } }),
      server.call(revokeRoute, { as: "admin", method: "DELETE", params: { threadId } }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe("a link ends", () => {
  const revoke = () => server.call(revokeRoute, { as: "member", method: "DELETE", params: { threadId } });

  test("when it is revoked", async () => {
    const { token } = await share();
    expect((await revoke()).status).toBe(204);
    expect((await open(token, "viewer")).status).toBe(404);
    expect((await revoke()).status).toBe(204);
    const actions = (await server.database.auditEntry.findMany()).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("share."))).toEqual(["share.created", "share.revoked"]);
  });

  test("when a new one is made", async () => {
    const [first, second] = [await share(), await share()];
    expect((await open(first.token, "viewer")).status).toBe(404);
    expect((await open(second.token, "viewer")).status).toBe(200);
  });

  test("when it expires", async () => {
    const { token } = await share({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await open(token, "viewer")).status).toBe(200);
    await server.database.share.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await open(token, "viewer")).status).toBe(404);
    const state = await server.call(stateRoute, { as: "member", params: { threadId } });
    expect((await state.json()).share).toBeNull();
  });

  test("with its thread, and with its owner's account", async () => {
    const { token } = await share();
    const params = { threadId };
    await server.call(deleteThreadRoute, { as: "member", method: "DELETE", params });
    expect((await open(token, "viewer")).status).toBe(404);
    await server.call(restoreRoute, { as: "member", method: "POST", params });
    expect((await open(token, "viewer")).status).toBe(200);
    await server.database.user.update({ where: { id: "member" }, data: { deactivatedAt: new Date() } });
    expect((await open(token, "viewer")).status).toBe(404);
  });

  test("while its owner may only read, unless a group lets them do more", async () => {
    const { token } = await share();
    const statusAs = async (role: string, groupRole: string | null) => {
      await server.database.user.update({ where: { id: "member" }, data: { role, groupRole } });
      return (await open(token, "viewer")).status;
    };
    expect(await statusAs("viewer", null)).toBe(404);
    expect(await statusAs("viewer", "member")).toBe(200);
  });

  test("a time that has passed is refused", async () => {
    const body = { expiresAt: "2020-01-01T00:00:00Z" };
    expect((await server.call(shareRoute, { as: "member", params: { threadId }, body })).status).toBe(400);
  });
});

test("a long share comes in pages", async () => {
  const { token } = await share();
  const row = await server.database.share.findFirstOrThrow();
  const content = JSON.parse(row.content);
  const [message] = content.messages;
  const messages = Array.from({ length: 130 }, (_, index) => ({ ...message, id: `m${index}` }));
  await server.database.share.updateMany({ data: { content: JSON.stringify({ ...content, messages }) } });
  const seen: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const reply = await server.call(openRoute, { as: "viewer", params: { token }, path: `/?from=${from}` });
    const page = SharedPage.parse(await reply.json());
    seen.push(...page.messages.map(({ id }) => id));
    from = page.nextFrom;
  }
  expect(seen).toEqual(messages.map(({ id }) => id));
});
