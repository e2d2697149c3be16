import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeEvents, withMergedDeltas } from "./merge-stream-deltas";

const event = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, rest: Record<string, unknown> = {}) => ({
  id: "c",
  choices: [{ index: 0, delta }],
  ...rest,
});
const text = (content: string) => event(chunk({ content }));
const args = (index: number, piece: string) =>
  event(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));

describe("mergeEvents", () => {
  it("joins adjacent text", () => {
    expect(mergeEvents(text("a") + text("b") + text("c"))).toBe(text("abc"));
  });

  it("keeps reasoning, text and the arguments of each call apart and in order", () => {
    const reasoning = event(chunk({ reasoning_content: "r" }));
    const mixed = reasoning + reasoning + text("a") + args(0, "{") + args(0, "}") + args(1, "[") + text("b");
    const merged = event(chunk({ reasoning_content: "rr" })) + text("a") + args(0, "{}") + args(1, "[") + text("b");
    expect(mergeEvents(mixed)).toBe(merged);
  });

  it.each([
    [
      "the start of a call",
      event(chunk({ tool_calls: [{ index: 0, id: "1", function: { name: "ls", arguments: "" } }] })),
    ],
    ["a finish reason", event({ choices: [{ index: 0, delta: { content: "z" }, finish_reason: "stop" }] })],
    ["usage", event(chunk({ content: "z" }, { usage: { prompt_tokens: 1 } }))],
    ["the end", event("[DONE]")],
    ["an error", event({ error: { message: "x" } })],
    ["what is not JSON", event("{oops")],
    ["a comment", ": ping\n\n"],
    ["a named event", `event: x\n${text("z")}`],
    ["text of a wrong type", event(chunk({ content: [{ type: "text", text: "z" }] }))],
    ["a refusal", event(chunk({ content: "z", refusal: "no" }))],
  ])("passes on %s as it is", (_, raw) => {
    expect(mergeEvents(text("a") + text("b") + raw + text("c"))).toBe(text("ab") + raw + text("c"));
  });
});

const opening = event(chunk({ role: "assistant", content: "" }));
const finish = (finish_reason: string) => event({ id: "c", choices: [{ index: 0, delta: {}, finish_reason }] });
const usage = event({ id: "c", choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
const start = (index: number) =>
  event(chunk({ tool_calls: [{ index, id: `call_${index}`, function: { name: "ls", arguments: "" } }] }));

describe("a reply that arrives at once", () => {
  it("becomes one event, from its opening to its usage", () => {
    const whole = opening + start(0) + args(0, '{"path"') + args(0, ':"a"}') + finish("tool_calls") + usage;
    const [only, done, ...others] = mergeEvents(whole + event("[DONE]"))
      .split("\n\n")
      .filter(Boolean);
    expect([done, others]).toEqual(["data: [DONE]", []]);
    expect(JSON.parse(only?.slice(6) ?? "")).toEqual({
      id: "c",
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: "call_0", function: { name: "ls", arguments: '{"path":"a"}' } }] },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    });
  });

  it.each([
    [
      "two calls",
      opening + start(0) + args(0, "{}") + start(1) + args(1, '{"path":"b"}') + finish("tool_calls") + usage,
    ],
    ["a call that is begun twice", opening + start(0) + start(0) + args(0, "{}") + finish("tool_calls")],
    ["text, then a call", opening + text("a") + text("b") + start(0) + args(0, "{}") + finish("tool_calls") + usage],
    ["nothing but an end", opening + finish("stop") + usage],
    ["an opening alone", opening],
    ["no end", opening + text("a")],
    ["usage twice", text("a") + finish("stop") + usage + usage],
    ["text after its end", text("a") + finish("stop") + text("b")],
    ["an error after text", text("a") + event({ error: { message: "overloaded" } })],
    [
      "fields that only this server has",
      opening + event(chunk({ content: "a" }, { timings: { ms: 3 } })) + finish("stop"),
    ],
  ])("gives the same as one by one: %s", async (_, events) => {
    expect(await replyTo(mergeEvents(events))).toEqual(await replyTo(events));
  });
});

/** The AI SDK's result for a stream, with consecutive text deltas joined. */
async function replyTo(events: string) {
  const answer = async () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const provider = createOpenAICompatible({ name: "x", baseURL: "http://localhost/v1", fetch: answer });
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }];
  const { stream } = await provider.chatModel("m").doStream({ prompt });
  const parts: { type: string; delta?: string }[] = [];
  for await (const part of stream) {
    const last = parts.at(-1);
    const joins = "delta" in part && last?.type === part.type && last.delta !== undefined;
    if (joins) last.delta += part.delta;
    else parts.push({ ...part });
  }
  return parts;
}

describe("withMergedDeltas", () => {
  function answer(bytes: Uint8Array[], contentType = "text/event-stream") {
    const body = new ReadableStream({
      start(controller) {
        for (const part of bytes) controller.enqueue(part);
        controller.close();
      },
    });
    const headers = { "content-type": contentType, "x-a": "b" };
    return withMergedDeltas(async () => new Response(body, { status: 203, headers }))("http://localhost");
  }

  function contentOf(stream: string): string {
    const events = stream.split("\n\n").filter((raw) => raw.startsWith("data: {"));
    return events.map((raw) => JSON.parse(raw.slice(6)).choices[0].delta.content).join("");
  }

  it("loses and adds no character, however the bytes are cut", async () => {
    const pieces = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 20 });
    const cuts = fc.array(fc.nat({ max: 2_000 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(pieces, cuts, async (written, at) => {
        const bytes = new TextEncoder().encode(written.map(text).join("") + event("[DONE]"));
        const borders = [0, ...at.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const parts = borders.slice(1).map((end, index) => bytes.slice(borders[index], end));
        const stream = await (await answer(parts)).text();
        expect(contentOf(stream)).toBe(written.join(""));
        expect(stream.endsWith(event("[DONE]"))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps status, headers and what was not finished when the stream ended", async () => {
    const response = await answer([new TextEncoder().encode(`${text("a")}data: {"half`)]);
    expect(response.status).toBe(203);
    expect(response.headers.get("x-a")).toBe("b");
    expect(await response.text()).toBe(`${text("a")}data: {"half`);
  });

  it.each(["\r\n", "\r"])("holds nothing back from a stream whose lines end in %j", async (lineEnd) => {
    const piece = text("ä").replaceAll("\n", lineEnd);
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "text/event-stream" };
    const response = await withMergedDeltas(async () => new Response(body.readable, { headers }))("http://localhost");
    const [reader, writer] = [response.body?.getReader(), body.writable.getWriter()];
    for (const sent of [piece, piece + piece]) {
      void writer.write(new TextEncoder().encode(sent));
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(sent);
    }
  });

  it("leaves other answers alone", async () => {
    const response = await answer([new TextEncoder().encode(text("a") + text("b"))], "application/json");
    expect(await response.text()).toBe(text("a") + text("b"));
  });
});
