import { expect, test } from "vitest";
import { createRefusalMemory } from "./refusal-memory";

const limit = (contextWindow: number) => ({ provider: "own", model: "m", contextWindow, words: "too long" });

test("after a load, only whoever loaded is told what is learned", () => {
  const told: string[] = [];
  const memory = createRefusalMemory(({ limits }) => told.push(`first ${limits.length}`));
  const model = memory.of("own", "m");
  model.learnLimit(limit(1_000));
  memory.load({ tools: [], limits: [] }, ({ limits }) => told.push(`second ${limits.length}`));
  model.learnLimit(limit(2_000));
  expect(told).toEqual(["first 1", "second 1"]);
  expect(memory.kept().limits).toEqual([limit(2_000)]);
});
