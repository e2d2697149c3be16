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
