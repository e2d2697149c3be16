import { expect, test } from "vitest";
import { ReplyBuilder } from "./reply-builder";

const said = { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 };
const unsaid = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

test.each([
  ["all of it", said, { total: 3, text: 3, reasoning: 0 }, undefined],
  ["only what went in", said, { total: undefined, text: undefined, reasoning: undefined }, true],
  ["only what came out", unsaid, { total: 3, text: 3, reasoning: 0 }, true],
])("usage is whole only where the provider says %s", (_, inputTokens, outputTokens, isUsagePartial) => {
  const builder = new ReplyBuilder({});
  const finishReason = { unified: "stop", raw: "stop" } as const;
  builder.add({ type: "finish", finishReason, usage: { inputTokens, outputTokens } });
  expect(builder.build("scripted:m", null).usage.isUsagePartial).toBe(isUsagePartial);
});

test.each([
  ["negative", -1_000_000_000, 0],
  ["no number", Number.NaN, 0],
  ["infinite", Number.POSITIVE_INFINITY, 0],
  ["broken", 2.4, 2],
  ["absurd", 1e300, 1_000_000_000],
])("a count that is %s never lifts a budget or breaks a sum", (_, total, counted) => {
  const builder = new ReplyBuilder({});
  const inputTokens = { total, noCache: total, cacheRead: -5, cacheWrite: -5 };
  const outputTokens = { total, text: total, reasoning: -5 };
  builder.add({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: { inputTokens, outputTokens } });
  expect(builder.build("scripted:m", null).usage).toMatchObject({
    inputTokens: counted,
    outputTokens: counted,
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    reasoningTokens: 0,
  });
});

test("no part of a count is more than the whole", () => {
  const builder = new ReplyBuilder({});
  const inputTokens = { total: 10, noCache: 0, cacheRead: 900, cacheWrite: 900 };
  const outputTokens = { total: 5, text: 0, reasoning: 900 };
  builder.add({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: { inputTokens, outputTokens } });
  expect(builder.build("scripted:m", null).usage).toMatchObject({
    cachedReadTokens: 10,
    cachedWriteTokens: 0,
    reasoningTokens: 5,
  });
});
