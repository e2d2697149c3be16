import { expect, test } from "vitest";
import { smallestWindow } from "./context-window";

const SONNET = "anthropic:claude-sonnet-5-5"; // 1,000,000
const HAIKU = "anthropic:claude-haiku-4-5"; // 200,000
const OWN = { configured: null, first: SONNET, isOwn: true, fallbacks: [] };

test.each([
  ["a model's own window where the agent names none", OWN, 1_000_000],
  ["128,000 where the model is unknown", { ...OWN, first: "ollama:llama3.1:8b" }, 128_000],
  [
    "the agent's number for its own model, also above what the catalogue says",
    { ...OWN, first: HAIKU, configured: 1_000_000 },
    1_000_000,
  ],
  ["the smallest of the fallbacks", { ...OWN, fallbacks: [HAIKU] }, 200_000],
  ["128,000 for an unknown fallback", { ...OWN, fallbacks: ["openai-compatible:m"] }, 128_000],
  [
    "the agent's number for an unknown fallback",
    { ...OWN, configured: 300_000, fallbacks: ["openai-compatible:m"] },
    300_000,
  ],
  ["a fallback's window below the agent's number", { ...OWN, configured: 300_000, fallbacks: [HAIKU] }, 200_000],
  ["that of a model chosen for the run", { ...OWN, first: HAIKU, isOwn: false }, 200_000],
  [
    "the agent's number where the chosen model takes more",
    { configured: 50_000, first: SONNET, isOwn: false, fallbacks: [] },
    50_000,
  ],
])("%s", (_, asked, expected) => {
  expect(smallestWindow(asked)).toBe(expected);
});
