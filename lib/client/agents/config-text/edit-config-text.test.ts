import { expect, it } from "vitest";
import { parse } from "yaml";
import { setInText } from "./edit-config-text";

const TEXT = `# Owner: platform team.
name: coder
model: anthropic:claude-sonnet-4-5
fallback_models:
  - openai:gpt-5.1
  - vllm:qwen3-coder-30b   # our own GPU, no bill
# steps of 14 Nov
max_iterations: 20         # runs hit 20

system_prompt: |-
  You are a careful programmer.

  Say plainly what you did not check.

backend:
  type: local # on this machine
  # never with a network
  network: false

subagents: [explorer, {name: b, prompt: c}]
# the end
`;

it("changes one word and not even the spaces before the comment of its line", () => {
  expect(setInText(TEXT, ["max_iterations"], 25)).toBe(TEXT.replace("iterations: 20", "iterations: 25"));
  expect(setInText(TEXT, ["backend", "network"], true)).toBe(TEXT.replace("network: false", "network: true"));
});

it("quotes a word that would mean something else", () => {
  const edited = setInText(TEXT, ["name"], "yes: no # maybe");
  expect(parse(edited).name).toBe("yes: no # maybe");
  expect(edited).toContain("# Owner: platform team.");
});

it("keeps the comments of the items that stay in a list", () => {
  const edited = setInText(TEXT, ["fallback_models"], ["vllm:qwen3-coder-30b", "google:gemini-2.5-pro"]);
  expect(parse(edited).fallback_models).toEqual(["vllm:qwen3-coder-30b", "google:gemini-2.5-pro"]);
  expect(edited).toMatch(
    /- vllm:qwen3-coder-30b +# our own GPU, no bill\n {2}- google:gemini-2.5-pro\n# steps of 14 Nov\nmax/,
  );
});

it("writes a text of several lines as a block, and leaves the lines around it", () => {
  const edited = setInText(TEXT, ["system_prompt"], "One.\n\nTwo: a # b");
  expect(edited).toBe(TEXT.replace(/ {2}You are[\s\S]*did not check\./u, "  One.\n\n  Two: a # b"));
});

it("adds a field where it belongs, and below another one", () => {
  expect(setInText(TEXT, ["on_limit"], "final_answer")).toContain(
    "# runs hit 20\non_limit: final_answer\n\nsystem_prompt",
  );
  const nested = setInText(TEXT, ["backend", "memory_mb"], 2048);
  expect(nested).toContain("  # never with a network\n  network: false\n  memory_mb: 2048\n\nsubagents");
  expect(nested).toContain("type: local # on this machine");
  expect(setInText(TEXT, ["timeouts", "run_ms"], 60_000)).toMatch(/timeouts:\n {2}run_ms: 60000\n/u);
});

it("removes a field with its lines, and a mapping with its last field", () => {
  expect(setInText(TEXT, ["max_iterations"], undefined)).toBe(TEXT.replace(/max_iterations.*\n/u, ""));
  const one = "name: a\ntimeouts:\n  run_ms: 1\nretries: 2\n";
  expect(setInText(one, ["timeouts", "run_ms"], undefined)).toBe("name: a\nretries: 2\n");
});

it("begins an empty text, and one that has nothing but a comment", () => {
  expect(setInText("", ["name"], "a")).toBe("name: a\n");
  expect(setInText("# mine\n", ["name"], "a")).toBe("# mine\nname: a\n");
});

it("leaves a text that can't be read, and one that means it already", () => {
  expect(setInText("name: [", ["name"], "a")).toBe("name: [");
  expect(setInText(TEXT, ["name"], "coder")).toBe(TEXT);
});

it("means the right thing also where all fields are within braces", () => {
  const edited = setInText("{name: a, timeouts: {run_ms: 1}} # one line\n", ["timeouts", "model_ms"], 2);
  expect(parse(edited)).toEqual({ name: "a", timeouts: { run_ms: 1, model_ms: 2 } });
  expect(edited).toContain("# one line");
});
