import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StreamUpdate } from "@/lib/api-client/follow-events";
import { followEvents } from "./event-stream";

const SENT =
  ": a comment\r\n\r\nid: 7\r\nevent: note\r\ndata: één\r\ndata: two\r\n\r\ndata:{}\n\nid: 8\ndata: 3\n\ndata: cut";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Responds in order, repeating the last response; returns the cursor of each request. */
function serve(...replies: ((signal: AbortSignal) => Response | Promise<Response>)[]): (string | null)[] {
  const cursors: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_path: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
    cursors.push(new Headers(init.headers).get("last-event-id"));
    return replies[Math.min(cursors.length, replies.length) - 1]?.(init.signal);
  });
  return cursors;
}

const says = (text: string) => () => new Response(text);
/** Stays open and sends nothing more. */
const hangs = (text: string) => () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) }));
const refuses = (status: number) => () => Response.json({ error: { code: "no", message: "No." } }, { status });
const down = () => Promise.reject(new TypeError("fetch failed"));
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** The events until `isEnough`. */
async function follow(isEnough: (updates: readonly StreamUpdate[]) => boolean): Promise<StreamUpdate[]> {
  const stop = new AbortController();
  const updates: StreamUpdate[] = [];
  const reading = (async () => {
    for await (const update of followEvents("/api/events", { signal: stop.signal, cursor: "6" })) {
      updates.push(update);
      if (isEnough(updates)) return;
    }
  })();
  reading.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(120_000);
  stop.abort();
  await reading;
  return updates;
}

const events = (updates: readonly StreamUpdate[]) =>
  updates.flatMap((update) => (update.kind === "event" ? [update.event] : []));
const hasEvents = (count: number) => (updates: readonly StreamUpdate[]) => events(updates).length === count;

test.each([1, 2, 7, 1000])("events arrive whole however the bytes are cut: %i at a time", async (size) => {
  const bytes = new TextEncoder().encode(SENT);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  serve(() => new Response(body));
  const updates = await follow(hasEvents(3));
  expect(events(updates)).toEqual([
    { id: "7", event: "note", data: "één\ntwo" },
    { data: "{}" },
    { id: "8", data: "3" },
  ]);
});

test("a connection that falls silent without being closed is opened again behind the last event", async () => {
  const cursors = serve(hangs("id: 7\ndata: a\n\n"), says("id: 8\ndata: b\n\n"));
  expect(events(await follow(hasEvents(2))).map(({ data }) => data)).toEqual(["a", "b"]);
  expect(cursors).toEqual(["6", "7"]);
});

test("a connection that does not answer is given up for another", async () => {
  serve(silent, says("data: a\n\n"));
  expect((await follow(hasEvents(1))).map(({ kind }) => kind)).toEqual(["lost", "connected", "event"]);
});

test("failed attempts are counted, and a connection is reported before its first event", async () => {
  serve(down, down, hangs(""));
  const updates = await follow((all) => all.at(-1)?.kind === "connected");
  expect(updates).toEqual([{ kind: "lost", attempts: 1 }, { kind: "lost", attempts: 2 }, { kind: "connected" }]);
});

test.each([429, 500, 503])("a server that is too busy, or at fault just now, is asked again: %s", async (status) => {
  serve(refuses(status), says("data: a\n\n"));
  expect(events(await follow(hasEvents(1)))).toHaveLength(1);
});

test.each([401, 403, 404])("a refusal is not asked for twice: %s", async (status) => {
  const cursors = serve(refuses(status));
  await expect(follow(() => false)).rejects.toThrow("No.");
  expect(cursors).toHaveLength(1);
});
