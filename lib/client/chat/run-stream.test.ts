import { afterEach, describe, expect, it, vi } from "vitest";
import type { UiChunk } from "@/lib/schema/messages/ui-chunk";
import { threadFrame } from "@/lib/schema/threads/thread-stream";
import { messageText } from "./chat-message";
import { followReply, followThread } from "./run-stream";

const START: UiChunk = { type: "start", messageId: "m" };
/** Rows of a run as the server stores them; one row may be several chunks. */
const ROWS: readonly UiChunk[][] = [
  [START],
  [{ type: "start-step" }, { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "Hel" }],
  [{ type: "text-delta", id: "t", delta: "lo" }],
  [{ type: "text-end", id: "t" }, { type: "finish-step" }],
  [{ type: "finish" }],
];

interface Sent {
  readonly id?: string;
  readonly data: unknown;
}

const lines = ({ id, data }: Sent) => `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Only the last event of a row has an id. */
const numbered = (rows: readonly (readonly Sent[])[], idOf: (row: number) => string): Sent[] =>
  rows.flatMap((row, index) =>
    row.map((sent, at) => (at === row.length - 1 ? { id: idOf(index + 1), ...sent } : sent)),
  );

const RUN = numbered(
  ROWS.map((row) => row.map((data) => ({ data }))),
  String,
);
const THREAD = numbered(
  [
    [{ data: threadFrame("run-start", { runId: "r" }) }],
    ...ROWS.slice(0, -1).map((row) => row.map((data) => ({ data }))),
    [{ data: { type: "finish" } }, { data: threadFrame("run-end", { status: "completed" }) }],
  ],
  (row) => `r:${row - 1}`,
);

/** A server whose nth connection breaks off after `cuts[n]` characters; each replays what follows `Last-Event-ID`. */
function serveWithCuts(sent: readonly Sent[], cuts: readonly number[]) {
  const cursors: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    const cursor = new Headers(init.headers).get("last-event-id");
    cursors.push(cursor);
    const from = cursor === null ? 0 : sent.findIndex(({ id }) => id === cursor) + 1;
    const text = sent.slice(from).map(lines).join("");
    const cut = cuts[cursors.length - 1] ?? text.length;
    return new Response(`: hello\n\n${text}`.slice(0, cut + 9));
  });
  return cursors;
}

const options = () => ({ signal: new AbortController().signal, wait: async () => undefined });

async function readReplies(): Promise<string[]> {
  const replies: string[] = [];
  for await (const reply of followReply("run_1", options())) replies.push(messageText(reply));
  return replies;
}

/** Until the run has ended. */
async function readThread() {
  const kinds: string[] = [];
  for await (const update of followThread("th", options())) {
    if (update.kind !== "events") continue;
    kinds.push(...update.events.map((event) => (event.kind === "chunk" ? event.chunk.type : event.kind)));
    if (kinds.at(-1) === "run-end") return kinds;
  }
  return kinds;
}

describe("a run's reply", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is notified after each row, to the run's end", async () => {
    serveWithCuts(RUN, []);
    expect(await readReplies()).toEqual(["", "Hel", "Hello", "Hello", "Hello"]);
  });

  it("is the same wherever the connection breaks", async () => {
    const whole = RUN.map(lines).join("");
    for (let cut = 0; cut < whole.length; cut += 7) {
      serveWithCuts(RUN, [cut, 20, 60]);
      expect((await readReplies()).at(-1), `cut after ${cut}`).toBe("Hello");
    }
  });

  it("ends where the server says that nothing more comes for now", async () => {
    const open = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`${lines({ id: "1", data: START })}data: [DONE]\n\n`)),
    });
    vi.stubGlobal("fetch", async () => new Response(open));
    expect(await readReplies()).toEqual([""]);
  });

  it("is refused by an error that this page can tell", async () => {
    const body = { error: { code: "not_found", message: "There is no such run." } };
    vi.stubGlobal("fetch", async () => Response.json(body, { status: 404 }));
    await expect(readReplies()).rejects.toThrow("There is no such run.");
  });

  it("asks for a new page where it meets what it does not know", async () => {
    serveWithCuts([{ id: "1", data: { type: "hologram" } }], []);
    await expect(readReplies()).rejects.toThrow("Reload the page.");
  });
});

describe("a thread's runs", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("come as the same events wherever the connection breaks", async () => {
    serveWithCuts(THREAD, []);
    const whole = await readThread();
    expect(whole).toEqual(["run-start", ...ROWS.flat().map(({ type }) => type), "run-end"]);
    const text = THREAD.map(lines).join("");
    for (let cut = 0; cut < text.length; cut += 7) {
      serveWithCuts(THREAD, [cut, 30, 70]);
      expect(await readThread(), `cut after ${cut}`).toEqual(whole);
    }
  });

  it("are asked for behind the last whole row", async () => {
    const cut = lines(THREAD[0] as Sent).length + lines(THREAD[1] as Sent).length + 20;
    const cursors = serveWithCuts(THREAD, [cut]);
    await readThread();
    expect(cursors).toEqual([null, "r:1"]);
  });

  it("are followed by a page that does not know everything the server tells", async () => {
    const [first, ...rest] = THREAD;
    serveWithCuts([first as Sent, { data: { type: "data-weather-changed", data: {}, transient: true } }, ...rest], []);
    expect((await readThread())[1]).toBe("start");
  });
});
