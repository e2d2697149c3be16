import { describe, expect, it } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import {
  DEMO_TOOLS as ALL,
  converseWithDemo as converse,
  demoRequest as toRequest,
} from "@/lib/testing/servers/converse-with-demo";
import { demoModel } from "./demo-model";

const { signal } = new AbortController();
const model = demoModel({ paceMs: 0 });

describe("demo model: as a model", () => {
  it("streams reasoning, then text, then announces its call; the pieces add up", async () => {
    const seen: string[] = [];
    const text: string[] = [];
    const reply = await model.call(toRequest([{ role: "user", content: "create a.txt with x" }], ALL), {
      signal,
      onReasoning: () => seen.push("reasoning"),
      onText: (delta) => {
        seen.push("text");
        text.push(delta);
      },
      onToolInput: (id, name) => seen.push(`${id} ${name}`),
    });
    expect([...new Set(seen)]).toEqual(["reasoning", "text", "call_demo_1 write_file"]);
    expect(text.join("")).toBe(reply.content);
    expect(reply.usage.outputTokens).toBeGreaterThan(reply.usage.reasoningTokens);
    expect(reply.finishReason).toBe("tool-calls");
  });

  it("writes the arguments of its calls piece by piece, and a whole page in at most forty pieces", async () => {
    const written = new Map<string, string[]>();
    const watch = {
      signal,
      onToolInput: (id: string) => void written.set(id, []),
      onToolInputDelta: (id: string, delta: string) => void written.get(id)?.push(delta),
    };
    const ask = (content: string) => model.call(toRequest([{ role: "user", content }], ALL), watch);
    for (const content of [
      "create a.txt with a few words that are more than one piece",
      `create b.txt with ${"🐝 and bees ".repeat(100)}`,
    ]) {
      const { toolCalls } = await ask(content);
      const [call] = toolCalls;
      const pieces = written.get(call?.id ?? "") ?? [];
      expect(pieces.join("")).toBe(call?.rawArgs);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.length).toBeLessThanOrEqual(40);
    }
  });

  it("gives every call of a conversation a different id", async () => {
    const { calls } = await converse("Plan and create a website about bees");
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  });

  it("stops at once when it is aborted while it streams", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const call = demoModel({ paceMs: 60_000 }).call(toRequest([{ role: "user", content: "hello" }], ALL), {
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("answers the product's own requests for a summary", async () => {
    const messages: Message[] = [
      { role: "user", content: "create a.txt" },
      { role: "assistant", content: "Done.", toolCalls: [{ id: "1", name: "write_file", args: {}, rawArgs: "{}" }] },
      { role: "user", content: "Now summarize the conversation." },
    ];
    const reply = await model.call(toRequest(messages, []), { signal });
    expect(reply.content).toContain("- create a.txt");
    expect(reply.content).toContain("- Done.");
    expect(reply.content).toContain("`write_file`");
  });
});
