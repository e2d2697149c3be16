import { expect, test } from "vitest";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { sectionSources } from "./section-sources";

function own(systemPrompt: string, soul?: string) {
  const config = AgentConfig.parse({ name: "Ada", model: "scripted:m", system_prompt: systemPrompt });
  return { config, promptFiles: soul === undefined ? [] : [{ name: "SOUL.md" as const, content: soul }] };
}

test("a section names each of the agent's texts in it with the lines of that text", () => {
  const soul = "# Soul\n\nBe kind.\n";
  expect(sectionSources(`You are Ada.\nBe brief.\n\n${soul.trim()}`, own("\n  You are Ada.\nBe brief.", soul))).toEqual(
    [
      { name: "system_prompt", firstLine: 2, lastLine: 3 },
      { name: "SOUL.md", firstLine: 1, lastLine: 3 },
    ],
  );
});

test("a text that the prompt cuts is named up to the cut", () => {
  const soul = ["one", "two", "three", "four", "five"].join("\n");
  expect(sectionSources("one\ntwo\nthree\n[... left out ...]\nfive", own("", soul))).toEqual([
    { name: "SOUL.md", firstLine: 1, lastLine: 3 },
  ]);
});

test("a section that only begins like one of the agent's texts does not name it", () => {
  expect(sectionSources("## Rules\nUse the tools.", own("## Rules\nBe brief."))).toEqual([]);
  expect(sectionSources("Anything", own(""))).toEqual([]);
});
