import { describe, expect, test, vi } from "vitest";
import type { UiChunk } from "@/lib/schema/ui-chunk";
import { messageText } from "./chat-message";
import { RunChat } from "./run-chat";

const text = (delta: string): UiChunk[] => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" },
];
const REPLY: UiChunk[] = [{ type: "start", messageId: "a" }, ...text("hello"), { type: "finish" }];

const streamOf = (chunks: readonly UiChunk[]) =>
  new ReadableStream<UiChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

function chatOf(open: (signal: AbortSignal) => Promise<ReadableStream<UiChunk> | null>) {
  const onFinish = vi.fn();
  const chat = new RunChat({
    messages: [],
    throttleMs: 5,
    onFinish,
    transport: { send: async (_, signal) => (await open(signal)) as ReadableStream<UiChunk>, resume: open },
  });
  const shown = () => chat.snapshot().messages.map((message) => `${message.role}: ${messageText(message)}`);
  return { chat, shown, onFinish };
}

describe("the messages of a thread and the reply that is read into them", () => {
  test("a message is shown at once and its reply as it comes", async () => {
    const { chat, shown, onFinish } = chatOf(async () => streamOf(REPLY));
    const sent = chat.send("hi");
    expect([shown(), chat.snapshot().status]).toEqual([["user: hi"], "submitted"]);
    await sent;
    expect([shown(), chat.snapshot().status]).toEqual([["user: hi", "assistant: hello"], "ready"]);
    expect(onFinish).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: "a" }));
  });

  test("a reply that is read again from its start takes its own place", async () => {
    const { chat, shown } = chatOf(async () => streamOf(REPLY));
    await chat.resume();
    await chat.resume();
    expect(shown()).toEqual(["assistant: hello"]);
  });

  test("a thread where nothing goes on is ready again, and nothing has finished", async () => {
    const { chat, onFinish } = chatOf(async () => null);
    await chat.resume();
    expect([chat.snapshot().status, onFinish.mock.calls.length]).toEqual(["ready", 0]);
  });

  test("a run that fails keeps what it has said", async () => {
    const failed: UiChunk[] = [...REPLY.slice(0, -1), { type: "error", errorText: "no model" }];
    const { chat, shown, onFinish } = chatOf(async () => streamOf(failed));
    await chat.resume();
    expect([shown(), chat.snapshot().error?.message]).toEqual([["assistant: hello"], "no model"]);
    expect(onFinish).toHaveBeenCalledOnce();
    chat.clearError();
    expect(chat.snapshot()).toMatchObject({ status: "ready", error: null });
  });

  test("a message that is refused leaves the error to its sender", async () => {
    const { chat, onFinish } = chatOf(() => Promise.reject(new Error("Full.")));
    await chat.send("hi");
    expect([chat.snapshot().status, chat.snapshot().error?.message]).toEqual(["error", "Full."]);
    expect(onFinish).toHaveBeenCalledExactlyOnceWith(null);
  });

  test("a page that leaves lets go of the stream, and what comes later is not shown", async () => {
    let late: ReadableStreamDefaultController<UiChunk> | undefined;
    let signal: AbortSignal | undefined;
    const { chat, shown, onFinish } = chatOf(async (given) => {
      signal = given;
      return new ReadableStream<UiChunk>({
        start(controller) {
          late = controller;
        },
      });
    });
    const reading = chat.resume();
    chat.close();
    late?.enqueue({ type: "start", messageId: "a" });
    late?.close();
    await reading;
    expect([signal?.aborted, shown(), chat.snapshot().status, onFinish.mock.calls.length]).toEqual([
      true,
      [],
      "ready",
      0,
    ]);
  });

  test("listeners are told of a stream's many chunks once in a while, and of its end at once", async () => {
    const many = Array.from({ length: 200 }, (): UiChunk => ({ type: "text-delta", id: "t", delta: "x" }));
    const chunks: UiChunk[] = [{ type: "start", messageId: "a" }, { type: "text-start", id: "t" }, ...many];
    const { chat, shown } = chatOf(async () => streamOf(chunks));
    const listener = vi.fn();
    chat.subscribe(listener);
    await chat.resume();
    expect(listener.mock.calls.length).toBeLessThan(100);
    expect(shown()).toEqual([`assistant: ${"x".repeat(200)}`]);
  });

  test("the same messages again are no news", async () => {
    const { chat } = chatOf(async () => streamOf(REPLY));
    await chat.resume();
    const listener = vi.fn();
    chat.subscribe(listener);
    chat.setMessages([...chat.snapshot().messages]);
    expect(listener).not.toHaveBeenCalled();
    chat.setMessages([]);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("a picture of a moment does not change when the reply goes on", async () => {
    const { chat } = chatOf(async () => streamOf([{ type: "start", messageId: "a" }, ...text("one"), ...text("two")]));
    const pictures: string[] = [];
    const seen: unknown[] = [];
    chat.subscribe(() => {
      seen.push(chat.snapshot().messages);
      pictures.push(JSON.stringify(chat.snapshot().messages));
    });
    await chat.resume();
    expect(seen.map((messages) => JSON.stringify(messages))).toEqual(pictures);
  });
});
