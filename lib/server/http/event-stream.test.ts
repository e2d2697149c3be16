import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withoutDatabase } from "@/lib/testing/databases/services-of";
import {
  admitWhile,
  checkReaders,
  closeEventStreams,
  encodeEvent,
  eventStreamResponse,
  readCursor,
  type ServerSentEvent,
} from "./event-stream";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* never(signal: AbortSignal): AsyncGenerator<ServerSentEvent[]> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

async function* two(): AsyncGenerator<ServerSentEvent[]> {
  yield [{ id: 1, event: "a", data: { x: 1 } }];
  yield [{ data: "[DONE]" }];
}

test("events are written in the format of the standard", () => {
  expect(encodeEvent({ id: 3, event: "chunk", data: { text: "a\nb" } })).toBe(
    'id: 3\nevent: chunk\ndata: {"text":"a\\nb"}\n\n',
  );
  expect(encodeEvent({ data: "a\nb" })).toBe("data: a\ndata: b\n\n");
});

test("a stream sends what its source gives and ends with it", async () => {
  const onDisconnect = vi.fn();
  const reply = eventStreamResponse(withoutDatabase, two, { signal: new AbortController().signal, onDisconnect });
  expect(await reply.text()).toBe(': open\n\nid: 1\nevent: a\ndata: {"x":1}\n\ndata: [DONE]\n\n');
  expect(reply.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(onDisconnect).not.toHaveBeenCalled();
});

test.each([
  ["closes the connection of a client that asks for it", "close", false],
  ["keeps that of one that wants to use it again", "keep-alive", true],
])("the end of a stream %s", async (_, connection, isKept) => {
  vi.useRealTimers();
  const server = createServer(async (_incoming, outgoing) => {
    const { status, headers, body } = eventStreamResponse(withoutDatabase, two, {
      signal: new AbortController().signal,
    });
    outgoing.writeHead(status, Object.fromEntries(headers));
    for await (const chunk of body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: "127.0.0.1", headers: { connection } }).end();
  const [reply] = await once(asked, "response");
  await once(reply.resume(), "end");
  expect(reply.headers.connection).toBe(connection);
  expect(asked.shouldKeepAlive).toBe(isKept);
  server.closeAllConnections();
  await once(server.close(), "close");
});

test("a source that throws breaks the stream off for good: no sign of life follows", async () => {
  const reply = eventStreamResponse(
    withoutDatabase,
    async function* () {
      yield [{ id: 1, data: "first" }];
      throw new Error("The database went away.");
    },
    { signal: new AbortController().signal },
  );
  await expect(reply.text()).rejects.toThrow("The database went away.");
  expect(vi.getTimerCount()).toBe(0);
});

test("a silent stream sends a comment at once, and one every 15 s", async () => {
  const reply = eventStreamResponse(withoutDatabase, never, { signal: new AbortController().signal });
  const reader = reply.body?.getReader();
  const readText = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await readText()).toBe(": open\n\n");
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await readText()).toBe(": keep-alive\n\n");
  await reader?.cancel();
});

test("notices once that a client disconnected, however it did", async () => {
  const client = new AbortController();
  const onDisconnect = vi.fn();
  const reply = eventStreamResponse(withoutDatabase, never, { signal: client.signal, onDisconnect });
  const reader = reply.body?.getReader();
  client.abort();
  await reader?.cancel().catch(() => undefined);
  expect(onDisconnect).toHaveBeenCalledTimes(1);
});

test.each(["a disconnect", "a cancelled body", "a shutdown", "a lost access"])(
  "%s releases what the source holds, also while nobody reads what it has given",
  async (how) => {
    const client = new AbortController();
    let isReleased = false;
    async function* source() {
      try {
        for (;;) yield [{ data: "x".repeat(300_000) }];
      } finally {
        isReleased = true;
      }
    }
    let isAdmitted = true;
    admitWhile(withoutDatabase, client.signal, async () => isAdmitted);
    const { body } = eventStreamResponse(withoutDatabase, source, { signal: client.signal });
    const reader = body?.getReader();
    await reader?.read();
    isAdmitted = how !== "a lost access";
    if (how === "a disconnect") client.abort();
    if (how === "a cancelled body") await reader?.cancel();
    if (how === "a shutdown") closeEventStreams(withoutDatabase);
    if (how === "a lost access") checkReaders(withoutDatabase);
    await vi.waitFor(() => expect(isReleased).toBe(true));
  },
);

test("aborts a stream whose caller may no longer read it, and lets others continue", async () => {
  const { signal } = new AbortController();
  const onDisconnect = vi.fn();
  let isAdmitted = true;
  admitWhile(withoutDatabase, signal, async () => isAdmitted);
  const reply = eventStreamResponse(withoutDatabase, never, { signal, onDisconnect });
  const text = reply.text().catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(onDisconnect).not.toHaveBeenCalled();
  isAdmitted = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await text).toContain("no longer");
  expect(onDisconnect).toHaveBeenCalledTimes(1);
});

test("a stream whose caller has just lost access ends without waiting, and others continue", async () => {
  const { signal } = new AbortController();
  const onDisconnect = vi.fn();
  let isAdmitted = true;
  admitWhile(withoutDatabase, signal, async () => isAdmitted);
  const text = eventStreamResponse(withoutDatabase, never, { signal, onDisconnect })
    .text()
    .catch((error: Error) => error.message);
  const other = eventStreamResponse(withoutDatabase, never, { signal: new AbortController().signal }).text();
  checkReaders(withoutDatabase);
  await vi.advanceTimersByTimeAsync(0);
  expect(onDisconnect).not.toHaveBeenCalled();
  isAdmitted = false;
  checkReaders(withoutDatabase);
  expect(await text).toContain("no longer");
  expect(closeEventStreams(withoutDatabase)).toBe(1);
  expect(await other).toBe(": open\n\n");
});

test("a shutdown ends open streams without calling it a disconnect", async () => {
  const onDisconnect = vi.fn();
  const reply = eventStreamResponse(withoutDatabase, never, { signal: new AbortController().signal, onDisconnect });
  const text = reply.text();
  closeEventStreams(withoutDatabase);
  expect(await text).toBe(": open\n\n");
  expect(onDisconnect).not.toHaveBeenCalled();
});

test("a shutdown sends a stream's last output, but its own end does not", async () => {
  const { signal } = new AbortController();
  const farewell = { event: "error", data: { code: "unavailable" } };
  const open = eventStreamResponse(withoutDatabase, never, { signal, farewell }).text();
  const ended = await eventStreamResponse(withoutDatabase, two, { signal, farewell }).text();
  expect(closeEventStreams(withoutDatabase)).toBe(1);
  expect(await open).toBe(': open\n\nevent: error\ndata: {"code":"unavailable"}\n\n');
  expect(ended).not.toContain("unavailable");
});

test("the cursor comes from ?after=, else from Last-Event-ID, else it is the start", () => {
  const request = (path: string, id?: string) =>
    new Request(`http://x${path}`, { headers: id === undefined ? {} : { "last-event-id": id } });
  expect(readCursor(request("/?after=7", "3"))).toBe(7);
  expect(readCursor(request("/", "3"))).toBe(3);
  expect(readCursor(request("/", "nonsense"))).toBe(0);
  expect(readCursor(request("/?after=-2"))).toBe(0);
});
