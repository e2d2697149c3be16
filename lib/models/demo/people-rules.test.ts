import { describe, expect, it } from "vitest";
import { converseWithDemo as converse } from "@/lib/testing/servers/converse-with-demo";

describe("demo model: people and other agents", () => {
  it.each([
    [
      "Ask me which colour: red, green or blue",
      "ask_user",
      { questions: [{ question: "Which colour?", options: ["red", "green", "blue"] }] },
    ],
    ["please ask me my name", "ask_user", { questions: [{ question: "My name?" }] }],
    [
      "ask me something",
      "ask_user",
      { questions: [{ question: "Which of these do you like best?", options: ["Todos", "Files", "Commands"] }] },
    ],
    [
      "Research honey bees",
      "task",
      { agent: "researcher", description: "Research honey bees", prompt: "Research honey bees" },
    ],
    [
      "delegate calculate 3 * 4 to the researcher",
      "task",
      { agent: "researcher", description: "Calculate 3 * 4", prompt: "Calculate 3 * 4" },
    ],
  ])("%s → %s", async (text, tool, args) => {
    const { calls } = await converse(text);
    expect(calls[0]).toMatchObject({ name: tool, args });
  });

  it("says what was answered", async () => {
    const { answer } = await converse("Ask me which colour: red or blue", () => '{"answers":[["red","blue"]]}');
    expect(answer).toBe("You answered **red, blue**.");
  });

  it("lets the researcher, who has no subagents, take notes", async () => {
    const { calls, answer } = await converse("Research honey bees", () => "noted", ["write_file", "read_file"]);
    expect(calls.map(({ name, args }) => [name, args.path])).toEqual([
      ["write_file", "notes/honey-bees.md"],
      ["read_file", "notes/honey-bees.md"],
    ]);
    expect(answer).toContain("notes/honey-bees.md");
  });
});
