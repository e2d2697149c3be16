import { describe, expect, it } from "vitest";
import { readTimeText } from "@/lib/schema/triggers/schedule-time";
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
    ["Delegate to worker-2: calculate 6 * 7", "delegate", { agent: "worker-2", task: "Calculate 6 * 7" }],
    ["Hand me over to worker: it knows more", "handoff", { agent: "worker", reason: "It knows more." }],
    [
      "delegate calculate 3 * 4 to the researcher",
      "task",
      { agent: "researcher", description: "Calculate 3 * 4", prompt: "Calculate 3 * 4" },
    ],
  ])("%s → %s", async (text, tool, args) => {
    const { calls } = await converse(text);
    expect(calls[0]).toMatchObject({ name: tool, args });
  });

  it.each([
    ["Every weekday at 9, calculate 6 * 7", "Every weekday at 9", "Calculate 6 * 7"],
    ["please schedule: every 30 min look at the logs", "every 30 min", "Look at the logs"],
    ["Mondays are fine, but on Fridays at 5 pm: say goodbye", null, null],
    ["each day at 08:15 list files", "every day at 08:15", "List files"],
  ])("%s → a schedule", async (text, when, prompt) => {
    const { calls } = await converse(text, () => "Created: it", ["schedule", "calculate", "ls", "read_file"]);
    if (when === null) return expect(calls.filter(({ name }) => name === "schedule")).toEqual([]);
    expect(calls[0]).toMatchObject({ name: "schedule", args: { action: "create", when, prompt } });
    expect(readTimeText(when)).not.toBeNull();
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
