import { describe, expect, it } from "vitest";
import { knownModels, modelTraits } from "./catalogue";
import { DEFAULT_MODELS } from "./default-models";

describe("modelTraits", () => {
  it.each([
    ["anthropic:claude-sonnet-4-20250514", 200_000],
    ["anthropic:claude-sonnet-4", 200_000],
    ["anthropic:claude-opus-5-5", 1_000_000],
    ["openai:gpt-4o", 128_000],
    ["openai:gpt-4o-2024-08-06", 128_000],
    ["openai:gpt-6-sol", 1_050_000],
    ["openai:gpt-6-astra", 1_050_000],
    ["openai:gpt-5.5", 1_050_000],
    ["openai:gpt-5.5-2026-04-23", 1_050_000],
    ["anthropic:claude-fable-5", 1_000_000],
    ["google:gemini-2.0-flash", 1_048_576],
  ])("knows the window of %s", (model, window) => {
    expect(modelTraits(model)?.window).toBe(window);
  });

  it("knows the window of every model that is a provider's default", () => {
    const named = DEFAULT_MODELS.filter(([, model]) => model !== null).map(
      ([provider, model]) => `${provider}:${model}`,
    );
    expect(named.filter((name) => !modelTraits(name)?.window)).toEqual([]);
  });

  it("knows the window and the price of every model that a picker offers", () => {
    const offered = ["anthropic", "google", "openai"].flatMap((provider) =>
      knownModels(provider).map((name) => `${provider}:${name}`),
    );
    expect(offered.filter((name) => !modelTraits(name)?.window || !modelTraits(name)?.rates)).toEqual([]);
  });

  it("has nothing for an unknown model, nor for another provider's model with a known name", () => {
    expect(modelTraits("openai:unheard-of")).toBeUndefined();
    expect(modelTraits("openai-compatible:gpt-4o")).toBeUndefined();
  });

  it("keeps our own price where the catalogue has a rounded one", () => {
    expect(modelTraits("openai:gpt-5")?.rates?.cachedRead).toBe(0.125);
  });
});

describe("knownModels", () => {
  it("lists the models of one provider without its prefix", () => {
    expect(knownModels("openai")).toContain("gpt-4o");
    expect(knownModels("openai").some((name) => name.includes("claude"))).toBe(false);
  });
});
