import { describe, expect, it } from "vitest";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { costUsd } from "./price";

const million = 1_000_000;

describe("costUsd", () => {
  it("prices each class on its own and counts cached input once", () => {
    const usage = {
      inputTokens: 100_000,
      cachedReadTokens: 60_000,
      cachedWriteTokens: 30_000,
      outputTokens: 5_000,
      reasoningTokens: 1_000,
    };
    const expected = (10_000 * 3 + 60_000 * 0.3 + 30_000 * 3.75 + 5_000 * 15) / million;
    expect(costUsd("anthropic:claude-sonnet-4-5", usage)).toBeCloseTo(expected, 12);
  });

  it("gives a dated snapshot the price of its alias", () => {
    const usage = { ...NO_USAGE, outputTokens: million };
    expect(costUsd("anthropic:claude-haiku-4-5-20251001", usage)).toBe(5);
    expect(costUsd("openai:gpt-5-2025-08-07", usage)).toBe(10);
  });

  it("uses the long-context price above its threshold only", () => {
    expect(costUsd("google:gemini-2.5-pro", { ...NO_USAGE, inputTokens: 200_000 })).toBeCloseTo(0.25, 12);
    expect(costUsd("google:gemini-2.5-pro", { ...NO_USAGE, inputTokens: 200_001 })).toBeCloseTo(0.5000025, 12);
  });

  it("takes the price of a model that only the shipped catalogue has", () => {
    const usage = { ...NO_USAGE, inputTokens: million, outputTokens: million };
    expect(costUsd("anthropic:claude-3-5-haiku-20241022", usage)).toBeCloseTo(4.8, 12);
    expect(costUsd("openai:o3", usage)).toBe(10);
  });

  it("says null, not zero, for an unknown price", () => {
    for (const model of ["openai:unheard-of", "ollama:llama3.2", "openai-compatible:gpt-5", "nonsense"]) {
      expect(costUsd(model, { ...NO_USAGE, inputTokens: 10 })).toBeNull();
    }
  });

  it("costs nothing to ask the demo model", () => {
    expect(costUsd("demo:demo", { ...NO_USAGE, inputTokens: 10 })).toBe(0);
  });
});
