import { expect, test } from "vitest";
import { askedConfig, drawnConfig, placeRules, ruleText } from "./context-view";

test("a wrong field elsewhere does not hide the picture, a wrong field of its own does", () => {
  expect(drawnConfig({ name: "", tools: 7, pruning: { soft_ratio: 0.2 } })?.pruning.soft_ratio).toBe(0.2);
  expect(drawnConfig({ pruning: { soft_ratio: "half" } })).toBeNull();
});

test("the server is asked only about what changes the window or the tokens", () => {
  const raw = { name: "A", model: "openai:m", system_prompt: "long", context_window: 9, pruning: { soft_ratio: 1 } };
  expect(askedConfig(raw)).toEqual({ name: "agent", model: "openai:m", context_window: 9 });
});

test("marks that would cover each other stand on lines of their own", () => {
  const rules = [
    { name: "pruning_soft", at: 300 },
    { name: "compaction", at: 750 },
    { name: "memory_flush", at: 760 },
    { name: "summarization", at: 850 },
  ] as const;
  expect(placeRules(rules, 1_000).map(({ number, line }) => [number, line])).toEqual([
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 0],
  ]);
});

test("a rule beyond the window stands at its end", () => {
  expect(placeRules([{ name: "compaction", at: 5_000 }], 1_000)[0]?.share).toBe(1);
});

test("the words of a rule have the numbers of the draft", () => {
  const config = drawnConfig({ compaction: { keep_last: 9, max_messages: 70, min_ratio: 0.25 } });
  expect(config && ruleText("compaction", config).does).toBe(
    "The newest 9 messages stay. It also happens above 70 messages that take at least 25% of the window.",
  );
});
