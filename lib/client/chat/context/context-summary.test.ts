import { expect, test } from "vitest";
import { contextGroups, fillLabel, labelledPlaces, ruleSteps } from "./context-summary";

const FILL = { used: 400, window: 1_000, windowFrom: "agent" } as const;

test("a window is said in words: how full, nearly full, over", () => {
  expect(fillLabel(FILL)).toMatchObject({ short: "40%", rest: " of 1k", exact: "about 400 of 1,000 tokens, 40%" });
  expect(fillLabel(FILL).warning).toBeNull();
  expect(fillLabel({ ...FILL, used: 900 }).warning).toBe("nearly full");
  expect(fillLabel({ ...FILL, used: 1_001 }).warning).toBe("over the window");
});

test("a window that nobody has told has numbers without a share", () => {
  expect(fillLabel({ ...FILL, windowFrom: "assumed" })).toMatchObject({
    short: "400",
    share: null,
    exact: "about 400 tokens, the window of the model is unknown",
  });
});

test("sections become parts in the order in which the model gets them", () => {
  const sections = Object.entries({ identity: 5, memory: 7, made_up: 1, tools: 20, messages: 3, tool_results: 0 }).map(
    ([name, tokens]) => ({ name, tokens, estimated: true as const }),
  );
  expect(contextGroups(sections).map(({ title, tokens, parts }) => [title, tokens, parts.length])).toEqual([
    ["System prompt", 6, 2],
    ["Tool schemas", 20, 1],
    ["Memory", 7, 1],
    ["Messages", 3, 1],
  ]);
});

test("of the rules one is next, and says how far away it is", () => {
  const rules = [
    { name: "pruning_soft", at: 200, fires: true },
    { name: "memory_flush", at: 250, fires: false },
    { name: "compaction", at: 750, fires: false },
    { name: "summarization", at: 850, fires: false },
  ] as const;
  const context = {
    rules: [...rules],
    conversation: 300,
    used: 400,
    window: 1_000,
    savedTokens: 0,
    messageLimit: null,
  };
  const steps = ruleSteps({ ...context, stepTokens: null });
  expect(steps.map(({ state, words, share }) => [state, words, share])).toEqual([
    ["now", "in effect now", 0.3],
    ["later", "before a compaction", 0.35],
    ["next", "about 450 tokens from now, after a run", 0.85],
    ["later", "from 850 tokens of conversation, at the next model call", 0.95],
  ]);
  expect(ruleSteps({ ...context, stepTokens: 160 })[2]?.words).toBe(
    "about 450 tokens from now, about 3 steps, after a run",
  );
  expect(ruleSteps({ ...context, stepTokens: 2 })[2]?.words).toBe("about 450 tokens from now, after a run");
  expect(ruleSteps({ ...context, stepTokens: null, savedTokens: 90 })[0]?.words).toBe("in effect now, saves 90 tokens");
  const messageLimit = { most: 50, from: 0, stored: 23 };
  expect(ruleSteps({ ...context, stepTokens: null, messageLimit })[2]?.words).toBe(
    "about 450 tokens from now, after a run; or with more than 50 messages (now 23)",
  );
  expect(steps.map(({ way }) => way)).toEqual([1, 1, 0.4, expect.closeTo(0.353)]);
});

test("the rule that acts next has its label, also where those of others would touch it", () => {
  const places = [
    { name: "pruning_soft", left: 0.3 },
    { name: "pruning_hard", left: 0.34 },
    { name: "compaction", left: 0.8 },
  ] as const;
  expect(labelledPlaces(places, "pruning_hard").map(({ left }) => left)).toEqual([0.34, 0.8]);
  expect(labelledPlaces(places, undefined).map(({ left }) => left)).toEqual([0.3, 0.8]);
});
