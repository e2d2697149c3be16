import { expect, it } from "vitest";
import { changeText, wideningOf } from "./change-labels";

it("says a change in a few words", () => {
  expect(changeText({ before: 20, after: 25 })).toBe("20 → 25");
  expect(changeText({ before: ["a"], after: ["a", "b"] })).toBe("+ b");
  expect(changeText({ before: ["a", "b"], after: ["b", "a"] })).toBe("another order");
  expect(changeText({ before: undefined, after: "final_answer" })).toBe("final_answer");
  expect(changeText({ before: true, after: undefined })).toBe("no longer true");
  expect(changeText({ before: [], after: [{ tool: "execute", args: { command: "npx vitest*" } }] })).toBe(
    "+ {tool: execute, args: {command: npx vitest*}}",
  );
  const prompt = "You are a careful programmer.\n\nSay what you did not check.";
  expect(changeText({ before: prompt, after: prompt.replace("careful", "very careful") })).toBe("+1 word");
});

it.each([
  [["permissions", "enabled"], true, false, "no call is checked any more"],
  [["permissions", "enabled"], undefined, true, null],
  [["permissions", "mode"], undefined, "bypass", "asks nobody any more"],
  [["permissions", "mode"], "bypass", "default", null],
  [["permissions", "allow"], [], ["edit_file"], "no longer asks a person"],
  [["permissions", "allow"], ["edit_file"], [], null],
  [["permissions", "ask"], ["execute"], [], "no longer asks a person"],
  [["permissions", "deny"], ["execute"], undefined, "is no longer denied"],
  [["backend", "network"], false, true, "commands reach the network"],
  [["tools"], ["a"], ["a", "b"], "can use more tools"],
  [["name"], "a", "b", null],
])("knows what widens the rights of an agent: %j from %j to %j", (path, before, after, words) => {
  expect(wideningOf({ path, before, after }, { permissions: { enabled: true } })).toBe(words);
});
