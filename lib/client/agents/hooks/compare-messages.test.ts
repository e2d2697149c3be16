import { expect, test } from "vitest";
import type { TriedRequest } from "@/lib/schema/agents/try-hook";
import { compareRequests } from "./compare-messages";
import { readSample } from "./try-sample";

const request = (...contents: string[]): TriedRequest => ({
  system: [],
  messages: contents.map((content) => ({ role: "user", content })),
  tools: [],
});

test("what stays is one part, what changed is compared in its place", () => {
  expect(compareRequests(request("a", "b", "See SUP-1", "d"), request("a", "b", "See [ticket]", "d"))).toEqual([
    { kind: "same", count: 2, tokens: 2, from: 1 },
    { kind: "changed", number: 3, name: "user", before: "See SUP-1", after: "See [ticket]" },
    { kind: "same", count: 1, tokens: 1, from: 4 },
  ]);
});

test("added and removed messages have nothing on the other side", () => {
  expect(compareRequests(request("a"), request("a", "b"))).toMatchObject([{}, { number: 2, before: "", after: "b" }]);
  expect(compareRequests(request("a", "b"), request("b"))).toMatchObject([{ number: 1, before: "a", after: "" }, {}]);
});

test("a pasted text is one message, JSON several, and a call has a name and arguments", () => {
  expect(readSample("Hello", false)).toEqual({ messages: [{ role: "user", content: "Hello" }] });
  const list = [{ role: "user", content: "Hello" }];
  expect(readSample(JSON.stringify(list), false)).toEqual({ messages: list });
  expect(readSample('execute {"command": "ls"}', true)).toEqual({ call: { name: "execute", args: { command: "ls" } } });
  expect(() => readSample("[1]", false)).toThrow("can't be read");
  expect(() => readSample("execute {ls}", true)).toThrow("Write the tool and its arguments");
});
