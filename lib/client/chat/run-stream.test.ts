import { afterEach, describe, expect, it, vi } from "vitest";
import type { UiChunk } from "@/lib/schema/ui-chunk";
import { openRunStream } from "./run-stream";

/** Rows of a run as the server stores them; one row may be several chunks. */
const ROWS: readonly UiChunk[][] = [
  [{ type: "start", messageId: "m" }],
  [{ type: "start-step" }, { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "Hel" }],
  [{ type: "text-delta", id: "t", delta: "lo" }],
  [{ type: "text-end", id: "t" }, { type: "finish-step" }],
  [{ type: "finish" }],
];

function rowText(row: readonly UiChunk[], seq: number): string {
  return row
    .map((chunk, index) => `${index === row.length - 1 ? `id: ${seq}\n` : ""}data: ${JSON.stringify(chunk)}\n\n`)
    .join("");
}

/** A server whose n-th connection breaks off after `cuts[n]` characters; also replays after `Last-Event-ID`. */
function serveWithCuts(cuts: readonly number[]) {
  const cursors: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    const cursor = new Headers(init.headers).get("last-event-id");
    cursors.push(cursor);
    const text = ROWS.map((row, index) => (index + 1 > Number(cursor ?? 0) ? rowText(row, index + 1) : "")).join("");
    const cut = cuts[cursors.length - 1] ?? text.length;
    return new Response(`: hello\n\n${text}`.slice(0, cut + 9));
  });
  return cursors;
}

async function readAll(): Promise<UiChunk[]> {
  const chunks: UiChunk[] = [];
  const reader = openRunStream("run_1", { wait: async () => undefined }).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return chunks;
}

describe("openRunStream", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("gives every chunk of the run once", async () => {
    serveWithCuts([]);
    expect(await readAll()).toEqual(ROWS.flat());
  });

  it("gives the same chunks wherever the connection breaks", async () => {
    const whole = ROWS.map((row, index) => rowText(row, index + 1)).join("");
    for (let cut = 0; cut < whole.length; cut += 7) {
      serveWithCuts([cut, 20, 60]);
      expect(await readAll(), `cut after ${cut}`).toEqual(ROWS.flat());
    }
  });

  it("asks for what follows the last whole row", async () => {
    const cursors = serveWithCuts([rowText(ROWS[0] ?? [], 1).length + 40]);
    await readAll();
    expect(cursors).toEqual([null, "1"]);
  });

  it("opens a connection again that fell silent without being closed", async () => {
    vi.useFakeTimers();
    const cursors: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      cursors.push(new Headers(init.headers).get("last-event-id"));
      const text = cursors.length === 1 ? rowText(ROWS[0] ?? [], 1) : rowText([{ type: "finish" }], 2);
      const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new TextEncoder().encode(text));
      return new Response(new ReadableStream({ start }));
    });
    const read = readAll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await read).toEqual([{ type: "start", messageId: "m" }, { type: "finish" }]);
    expect(cursors).toEqual([null, "1"]);
  });

  it("reports a refusal instead of asking again", async () => {
    const body = { error: { code: "not_found", message: "There is no such run." } };
    vi.stubGlobal("fetch", async () => Response.json(body, { status: 404 }));
    await expect(readAll()).rejects.toThrow("There is no such run.");
  });

  it("gives up a connection that does not answer, and opens another", async () => {
    vi.useFakeTimers();
    let opened = 0;
    vi.stubGlobal("fetch", async (_path: string, { signal }: { signal: AbortSignal }) => {
      opened += 1;
      if (opened === 2) return new Response(rowText([{ type: "finish" }], 1));
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const read = readAll();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read).toEqual([{ type: "finish" }]);
  });

  it("says that it is back before the run says anything more", async () => {
    const states: string[] = [];
    const quiet = Promise.withResolvers<void>();
    vi.stubGlobal("fetch", async () => {
      if (states.length === 0) throw new TypeError("fetch failed");
      return new Response(new ReadableStream({ start: () => setTimeout(quiet.resolve, 0) }));
    });
    const onConnection = (state: string) => states.push(state);
    const reader = openRunStream("run_1", { wait: async () => undefined, onConnection }).getReader();
    void reader.read();
    await quiet.promise;
    expect(states).toEqual(["reconnecting", "connected"]);
    await reader.cancel();
  });

  it("says that it reconnects, and that it is back", async () => {
    serveWithCuts([30]);
    const states: string[] = [];
    const stream = openRunStream("run_1", { wait: async () => undefined, onConnection: (state) => states.push(state) });
    for await (const _chunk of stream as unknown as AsyncIterable<UiChunk>);
    expect(states).toEqual(["connected", "reconnecting", "connected"]);
  });
});
