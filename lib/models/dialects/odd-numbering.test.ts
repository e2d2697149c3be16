import { describe, expect, it } from "vitest";
import { askRaw, delta, type Json, piece, stop, stream } from "@/lib/testing/servers/ask-raw-stream";

describe("calls that are numbered oddly", () => {
  const args = (reply: Awaited<ReturnType<typeof askRaw>>["reply"]) => reply?.toolCalls.map(({ rawArgs }) => rawArgs);
  const first = { id: "a", function: { name: "calculate", arguments: '{"x":1}' } };
  const second = { id: "b", function: { name: "ls", arguments: '{"y":2}' } };

  it.each<[string, Json[]]>([
    [
      "all of them zero",
      [
        { index: 0, ...first },
        { index: 0, ...second },
      ],
    ],
    ["not at all", [first, second]],
    [
      "null",
      [
        { index: null, ...first },
        { index: null, ...second },
      ],
    ],
    [
      "as text",
      [
        { index: "0", ...first },
        { index: "1", ...second },
      ],
    ],
    [
      "from five",
      [
        { index: 5, ...first },
        { index: 6, ...second },
      ],
    ],
    [
      "zero, the same tool twice",
      [
        { index: 0, ...first },
        { index: 0, id: "b", function: { name: "calculate", arguments: '{"y":2}' } },
      ],
    ],
  ])("%s", async (_, pieces) => {
    const { reply } = await askRaw(stream(...pieces.map(piece), delta({}, "tool_calls")));
    expect(args(reply)).toEqual(['{"x":1}', '{"y":2}']);
    expect(new Set(reply?.toolCalls.map(({ id }) => id)).size).toBe(2);
  });

  it.each<[string, Json[]]>([
    [
      "a new id with each piece",
      [
        { index: 0, id: "a", function: { name: "calculate", arguments: "" } },
        { index: 0, id: "b", function: { name: "calculate", arguments: '{"x"' } },
        { index: 0, id: "c", function: { arguments: ":1}" } },
      ],
    ],
    [
      "the name with each piece",
      [
        { index: 0, id: "a", function: { name: "calculate", arguments: '{"x"' } },
        { index: 0, id: "a", function: { name: "calculate", arguments: ":1}" } },
      ],
    ],
    [
      "an empty name afterwards",
      [
        { index: 0, id: "a", function: { name: "calculate", arguments: "" } },
        { index: 0, id: "", function: { name: "", arguments: '{"x":1}' } },
      ],
    ],
    [
      "the name in pieces",
      [
        { index: 0, id: "a", function: { name: "calc" } },
        { index: 0, function: { name: "ulate" } },
        { index: 0, function: { arguments: '{"x":1}' } },
      ],
    ],
    [
      "the name after the arguments",
      [
        { index: 0, id: "a", function: { arguments: '{"x"' } },
        { index: 0, function: { name: "calculate", arguments: ":1}" } },
      ],
    ],
    ["arguments as an object", [{ index: 0, id: "a", function: { name: "calculate", arguments: { x: 1 } } }]],
    ["no function object", [{ index: 0, id: "a", name: "calculate", arguments: '{"x":1}' }]],
    ["a number for an id", [{ index: 0, id: 7, function: { name: "calculate", arguments: '{"x":1}' } }]],
    ["no id and no type", [{ index: 0, function: { name: "calculate", arguments: '{"x":1}' } }]],
  ])("one call with %s is one call", async (_, pieces) => {
    const { reply, message } = await askRaw(stream(...pieces.map(piece), delta({}, "tool_calls")));
    expect(message).toBeUndefined();
    expect(reply?.toolCalls).toMatchObject([{ name: "calculate", args: { x: 1 } }]);
    expect(reply?.toolCalls[0]?.id).not.toBe("");
  });

  it("a function call in the old form is a call", async () => {
    const { reply } = await askRaw(
      stream(delta({ function_call: { name: "calculate", arguments: '{"x":1}' } }), delta({}, "function_call")),
    );
    expect(reply?.toolCalls).toMatchObject([{ name: "calculate", args: { x: 1 } }]);
    expect(reply?.finishReason).toBe("tool-calls");
  });

  it("the pieces of two calls may alternate", async () => {
    const pieces = [
      { index: 0, id: "a", function: { name: "calculate", arguments: '{"x"' } },
      { index: 1, id: "b", function: { name: "ls", arguments: '{"y"' } },
      { index: 0, function: { arguments: ":1}" } },
      { index: 1, function: { arguments: ":2}" } },
    ];
    expect(args((await askRaw(stream(...pieces.map(piece), stop))).reply)).toEqual(['{"x":1}', '{"y":2}']);
  });
});
