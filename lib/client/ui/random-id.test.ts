import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunChat } from "@/lib/client/chat/run-chat";
import { sendMessage } from "@/lib/client/chat/threads/thread-actions";
import { randomId } from "./random-id";

/** As in a browser on a page served over plain HTTP from another machine. */
beforeEach(() => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
});
afterEach(() => void vi.unstubAllGlobals());

test("a message is sent from a page that came over plain HTTP", async () => {
  const reply = { runId: "run_1", messageId: "m1", status: "queued" };
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => Response.json(reply));
  vi.stubGlobal("fetch", fetched);
  await sendMessage({ threadId: "th_1", content: "Hello" });
  expect(new Headers(fetched.mock.calls[0]?.[1].headers).get("idempotency-key")).toMatch(/^[\da-f]{32}$/u);
});

test("a message is shown on a page that came over plain HTTP", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const chat = new RunChat({ threadId: "th", lastRunId: null, throttleMs: 5, onStale: () => undefined });
  chat.send({ text: "Hello", files: [], model: null });
  expect(chat.snapshot().outgoing).toHaveLength(1);
});

test("names do not repeat", () => {
  expect(new Set(Array.from({ length: 1000 }, randomId)).size).toBe(1000);
});
