import { createParser } from "eventsource-parser";
import { beforeAll, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server } = approvalServer({
  "Write a.txt": [writes("a.txt"), { text: "Wrote it." }],
});

const ACCEPT = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: { elicitation: {} },
    clientInfo: { name: "test", version: "1" },
  },
};
const call = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "asks", arguments: { message: "Write a.txt" } },
});

let key: string;
let strangersKey: string;
beforeAll(async () => {
  key = await server().addKey("member", ["read", "chat"]);
  const stranger = { id: "stranger", name: "A stranger", email: "stranger@example.test", role: "member" };
  await server().database.user.create({ data: stranger });
  strangersKey = await server().addKey("stranger", ["read", "chat"]);
});

const post = (body: unknown, headers: Record<string, string> = {}, as = key, signal?: AbortSignal) =>
  server().call(mcp, { path: "/mcp", key: as, body, headers: { ...ACCEPT, ...headers }, signal });

async function openSession(): Promise<Record<string, string>> {
  const reply = await post(INITIALIZE);
  return { "mcp-session-id": reply.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-06-18" };
}

interface Sent {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly message: string };
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
}

/** The messages of a reply as they come. */
async function* messagesOf(reply: Response): AsyncGenerator<Sent> {
  const found: Sent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "") found.push(JSON.parse(data));
    },
  });
  const text = reply.body?.pipeThrough(
    new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>,
  );
  for await (const chunk of text ?? []) {
    parser.feed(chunk);
    yield* found.splice(0);
  }
}

test("an ask is answered by a request of its own, by its owner alone and once", async () => {
  const session = await openSession();
  const messages = messagesOf(await post(call(1), session));
  const { value: asked } = await messages.next();
  expect(asked).toMatchObject({
    method: "elicitation/create",
    params: { message: expect.stringContaining("write_file") },
  });
  const reply = { jsonrpc: "2.0", id: asked?.id, result: { action: "accept", content: { decision: "allow" } } };
  expect((await post(reply, session, strangersKey)).status).toBe(202);
  const { database } = server();
  expect(await database.approval.count({ where: { status: "pending" } })).toBe(1);
  expect((await post(reply, session)).status).toBe(202);
  expect((await messages.next()).value).toMatchObject({ id: 1, result: { content: [{ text: "Wrote it." }] } });
  expect((await post(reply, session)).status).toBe(202);
  expect(await database.approval.findMany({ select: { decidedBy: true } })).toMatchObject([{ decidedBy: "member" }]);
});

test("an ask that the client can't show is denied", async () => {
  const session = await openSession();
  const messages = messagesOf(await post(call(1), session));
  const { value: asked } = await messages.next();
  const failed = { jsonrpc: "2.0", id: asked?.id, error: { code: -32_603, message: "no window" } };
  expect((await post(failed, session)).status).toBe(202);
  expect((await messages.next()).value?.result?.isError).toBeUndefined();
  const last = server().provider.requests.at(-1)?.body.messages?.at(-1)?.content;
  expect(last).toContain("could not ask anybody");
});

test("a call is cancelled by a request of its own, in its session and by its owner alone", async () => {
  const session = await openSession();
  const messages = messagesOf(await post(call(7), session));
  await messages.next();
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  const status = async () => {
    const { status: now } = await server().database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    return now;
  };
  await post(cancel, session, strangersKey);
  await post(cancel, await openSession());
  expect(await status()).toBe("waiting");
  expect((await post(cancel, session)).status).toBe(202);
  expect(await status()).toBe("cancelled");
});

test("a client that leaves while its call waits for a person cancels the run", async () => {
  const leave = new AbortController();
  const messages = messagesOf(await post(call(1), await openSession(), key, leave.signal));
  await messages.next();
  leave.abort();
  const newest = () => server().database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  await expect.poll(async () => (await newest()).status).toBe("cancelled");
});

test("a session that is none of ours only means that nobody can be asked", async () => {
  const messages = messagesOf(await post(call(1), { "mcp-session-id": "asks-everything" }));
  expect((await messages.next()).value).toMatchObject({ id: 1, result: { content: [{ text: "Wrote it." }] } });
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const modern = (params: object, as = key) =>
  post(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "asks", ...params, _meta: META } },
    {
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "asks" },
    },
    as,
  );

test("a call of 2026-07-28 ends with what it asks and goes on with the replies, for nobody else", async () => {
  const args = { arguments: { message: "Write a.txt" } };
  const { value: first } = await messagesOf(await modern(args)).next();
  const { resultType, inputRequests, requestState } = (first?.result ?? {}) as unknown as {
    resultType: string;
    inputRequests: object;
    requestState: string;
  };
  expect(resultType).toBe("input_required");
  const replies = Object.fromEntries(
    Object.keys(inputRequests).map((name) => [name, { action: "accept", content: { decision: "allow" } }]),
  );
  const retry = { ...args, requestState, inputResponses: replies };
  const { value: foreign } = await messagesOf(await modern(retry, strangersKey)).next();
  expect(foreign).toMatchObject({
    result: { isError: true, content: [{ text: "There is no such run of this agent." }] },
  });
  const { value: done } = await messagesOf(await modern(retry)).next();
  expect(done).toMatchObject({ result: { content: [{ text: "Wrote it." }] } });
  const { value: again } = await messagesOf(await modern(retry)).next();
  expect(again).toMatchObject({ result: { content: [{ text: "Wrote it." }] } });
});

test("a call of either revision sends its headers at once, however long it takes", async () => {
  const old = await post(call(9), await openSession());
  for (const reply of [old, await modern({ arguments: { message: "Write a.txt" } })]) {
    const reader = reply.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": open\n\n");
    await reader?.cancel();
  }
});

test("a call of either revision leaves it to the server and the client whether their connection is kept", async () => {
  const old = await post(call(10), await openSession());
  for (const reply of [old, await modern({ arguments: { message: "Write a.txt" } })]) {
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    expect(reply.headers.get("connection")).toBeNull();
    await reply.body?.cancel();
  }
});

test("a revision that is not known is refused with those that are", async () => {
  const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } };
  const reply = await post(body, { "mcp-protocol-version": "2031-01-01", "mcp-method": "tools/list" });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { code: -32_022, data: { supported: ["2026-07-28"] } } });
});

test.each([
  ["more than 1 MB", `{"jsonrpc": "2.0", "x": "${"x".repeat(1_100_000)}"}`, 413],
  ["no JSON", "{", 400],
  ["a number", "1", 400],
  ["an empty list", "[]", 400],
  ["100,000 deep", `{"params": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
])("a body that is %s is refused in the protocol's shape", async (_, body, status) => {
  const reply = await post(body);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { message: expect.any(String) } });
});

test("nobody gets an answer without a key", async () => {
  const reply = await server().call(mcp, { path: "/mcp", body: INITIALIZE, headers: ACCEPT, method: "POST" });
  expect([401, 403]).toContain(reply.status);
  expect(await reply.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: expect.any(String) } } });
});
