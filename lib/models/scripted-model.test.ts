import { describe, expect, it } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import { AppError } from "@/lib/schema/app-error";
import { scriptedModel } from "./scripted-model";

const request: ModelRequest = { system: [], messages: [], tools: [], maxTokens: 100, temperature: null };
const signal = new AbortController().signal;

describe("scriptedModel", () => {
  it("streams the text in pieces that add up to it", async () => {
    const pieces: string[] = [];
    const reply = await scriptedModel([" one two\n\nthree "]).call(request, { signal, onText: (t) => pieces.push(t) });
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe(reply.content);
    expect(reply).toMatchObject({ content: " one two\n\nthree ", finishReason: "stop", toolCalls: [] });
  });

  it("numbers calls over the whole script and keeps raw arguments", async () => {
    const model = scriptedModel([
      { calls: [{ name: "ls", args: { path: "." } }] },
      { calls: [{ name: "x", rawArgs: "{" }] },
    ]);
    const [first, second] = [await model.call(request, { signal }), await model.call(request, { signal })];
    expect(first.toolCalls).toEqual([{ id: "call_1", name: "ls", args: { path: "." }, rawArgs: '{"path":"."}' }]);
    expect(second.toolCalls[0]).toMatchObject({ id: "call_2", args: {}, rawArgs: "{" });
    expect(second.toolCalls[0]?.argsError).toContain("not valid JSON");
    expect(second.finishReason).toBe("tool-calls");
    expect(model.requests).toHaveLength(2);
  });

  it("answers from the request when a step is a function", async () => {
    const model = scriptedModel([(asked) => `${asked.maxTokens} tokens`]);
    expect((await model.call(request, { signal })).content).toBe("100 tokens");
  });

  it("waits for a gate and rejects with the abort reason on abort", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const call = scriptedModel([{ text: "never", gate: new Promise(() => {}) }]).call(request, controller);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("throws a scripted error after the text before it", async () => {
    const pieces: string[] = [];
    const error = new AppError("model_failed", "The provider is overloaded.");
    const call = scriptedModel([{ text: "partial", error }]).call(request, { signal, onText: (t) => pieces.push(t) });
    await expect(call).rejects.toBe(error);
    expect(pieces).toEqual(["partial"]);
  });

  it("reports a failed attempt before the reply that repeats it", async () => {
    const seen: string[] = [];
    await scriptedModel([{ failedAttempt: { text: "half" }, text: "whole" }]).call(request, {
      signal,
      onText: (t) => seen.push(t),
      onRetry: () => seen.push("retry"),
    });
    expect(seen).toEqual(["half", "retry", "whole"]);
  });

  it("fails a call beyond the script", async () => {
    await expect(scriptedModel([]).call(request, { signal })).rejects.toThrow("has no step 1");
  });
});
