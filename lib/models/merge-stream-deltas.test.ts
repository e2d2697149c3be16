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
  it("joins text that stands side by side", () => {
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

  it("leaves other answers alone", async () => {
    const response = await answer([new TextEncoder().encode(text("a") + text("b"))], "application/json");
    expect(await response.text()).toBe(text("a") + text("b"));
  });
});
