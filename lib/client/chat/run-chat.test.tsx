import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UiChunk } from "@/lib/schema/messages/ui-chunk";
import { messageText } from "./chat-message";
import { RunChat } from "./run-chat";
import type { ThreadEvent, ThreadUpdate } from "./run-stream";
import { markBack, markGone } from "./thread-queries";

const THROTTLE_MS = 50;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

/** A chat whose stream sends what the test chooses, each row with the next cursor. */
function openChat(threadId = "th") {
  const rows: ThreadUpdate[] = [];
  let wake = (): void => undefined;
  const cursors: (string | null | undefined)[] = [];
  const closed = vi.fn();
  const onStale = vi.fn();
  const chat = new RunChat({
    threadId,
    lastRunId: "r0",
    throttleMs: THROTTLE_MS,
    onStale,
    async *follow(_threadId, { signal, cursor }) {
      cursors.push(cursor);
      signal.addEventListener("abort", () => wake());
      try {
        while (!signal.aborted) {
          for (let row = rows.shift(); row; row = rows.shift()) yield row;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        closed();
      }
    },
  });
  const listener = vi.fn();
  const leave = chat.subscribe(listener);
  let seq = 0;
  return {
    chat,
    listener,
    leave,
    onStale,
    cursors,
    closed,
    async lose() {
      rows.push({ kind: "lost" });
      wake();
      await vi.advanceTimersByTimeAsync(0);
    },
    async hear(...events: ThreadEvent[]) {
      for (const event of events) rows.push({ kind: "events", events: [event], cursor: `r:${++seq}` });
      wake();
      for (let turn = 0; turn <= events.length; turn++) await vi.advanceTimersByTimeAsync(0);
    },
    shown: () => chat.snapshot().runs.map(({ reply }) => (reply === null ? null : messageText(reply))),
  };
}

const chunk = (one: UiChunk): ThreadEvent => ({ kind: "chunk", chunk: one });
const begin = (runId: string): ThreadEvent[] => [
  { kind: "run-start", data: { runId } },
  chunk({ type: "start", messageId: `a-${runId}` }),
  chunk({ type: "text-start", id: "t" }),
];
const say = (delta: string) => chunk({ type: "text-delta", id: "t", delta });
const end: ThreadEvent = { kind: "run-end", data: { status: "completed" } };

test("listeners are notified of a reply's chunks in batches, of its end at once", async () => {
  const { hear, listener, shown } = openChat();
  await hear(...begin("r"));
  const before = listener.mock.calls.length;
  await hear(...Array.from({ length: 200 }, () => say("x")));
  expect(listener.mock.calls.length).toBe(before);
  await vi.advanceTimersByTimeAsync(THROTTLE_MS);
  expect([listener.mock.calls.length, shown()]).toEqual([before + 1, ["x".repeat(200)]]);
  await hear(say("y"), end);
  expect(shown()).toEqual([`${"x".repeat(200)}y`]);
  expect(listener.mock.calls.length).toBe(before + 3);
});

test("a snapshot of a reply does not change when the reply continues", async () => {
  const { chat, hear } = openChat();
  await hear(...begin("r"), say("one"));
  await vi.advanceTimersByTimeAsync(THROTTLE_MS);
  const picture = chat.snapshot().runs[0]?.reply;
  const before = JSON.stringify(picture);
  await hear(say(" two"), end);
  expect(JSON.stringify(picture)).toBe(before);
});

test("the end of a run, a compaction and a reset have what is stored read again", async () => {
  const { hear, onStale, shown } = openChat();
  await hear(...begin("r"), say("one"), end);
  await hear({ kind: "thread-compacted", data: { threadId: "th", compactionCount: 1 } });
  expect(shown()).toEqual(["one"]);
  await hear({ kind: "reset", data: {} });
  expect(shown()).toEqual([]);
  expect(onStale.mock.calls).toEqual([["thread"], ["thread"], ["thread"]]);
});

test("a page that leaves hears nothing more; one that comes back continues after the last event", async () => {
  const { chat, hear, leave, shown, cursors } = openChat();
  await hear(...begin("r"), say("one"));
  await vi.advanceTimersByTimeAsync(THROTTLE_MS);
  leave();
  await hear(say(" lost"));
  expect(shown()).toEqual(["one"]);
  chat.subscribe(() => undefined);
  expect(cursors).toEqual(["r0", "r:4"]);
});

test("a lost stream is reopened, unless its thread was deleted in this tab", async () => {
  const { lose, cursors, closed } = openChat("th-deleted");
  await lose();
  expect(closed).not.toHaveBeenCalled();
  markGone("th-deleted");
  await lose();
  expect(closed).toHaveBeenCalledOnce();
  window.dispatchEvent(new Event("online"));
  expect(cursors).toHaveLength(1);
  markBack("th-deleted");
  window.dispatchEvent(new Event("online"));
  expect(cursors).toHaveLength(2);
});
