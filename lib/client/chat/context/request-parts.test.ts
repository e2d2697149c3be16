import { expect, test } from "vitest";
import type { NextRequestText } from "@/lib/schema/threads/thread-context";
import { newParts, requestJson, requestParts } from "./request-parts";

const ESTIMATE = { tokens: 3, estimated: true } as const;
const REQUEST: NextRequestText = {
  sections: [
    {
      name: "identity",
      text: "You are Ada.",
      from: "agent",
      sources: [
        { name: "system_prompt", firstLine: 1, lastLine: 18 },
        { name: "SOUL.md", firstLine: 2, lastLine: 2 },
      ],
      ...ESTIMATE,
    },
    { name: "workspace", text: "You work in /workspace.", from: "prompt", ...ESTIMATE },
    { name: "time", text: "It is Friday.", from: "prompt", ...ESTIMATE },
    { name: "client", text: "Answer in French.", from: "agent", ...ESTIMATE },
    { name: "office_hours", text: "It is late.", from: "office-hours", ...ESTIMATE },
  ],
  messages: [
    { role: "user", name: null, content: "The story so far", calls: [], isSummary: true, isNew: false, ...ESTIMATE },
    {
      role: "assistant",
      name: null,
      content: "",
      calls: [{ name: "ls", arguments: '{"a":1}' }],
      isSummary: false,
      isNew: true,
      ...ESTIMATE,
    },
    { role: "tool", name: "ls", content: "a.txt\nb.txt", calls: [], isSummary: false, isNew: true, ...ESTIMATE },
  ],
  tools: [],
  cachedTokens: null,
  queued: [],
};

test("a request is shown by its parts, each with where it comes from; what is empty is left out", () => {
  const groups = requestParts(REQUEST);
  expect(groups.map(({ title, name }) => [title, name])).toEqual([
    ["System prompt", "system"],
    ["Summary", "messages"],
    ["Messages", "messages"],
    ["Tool results", "tool_results"],
  ]);
  expect(groups.flatMap(({ parts }) => parts.map(({ name, gist, from }) => [name, gist, from]))).toEqual([
    ["Identity", "", "from system_prompt, lines 1–18, and SOUL.md, line 2"],
    ["Workspace", "", "from backend.type of the agent"],
    ["Time", "", "built in, switched by prompt.sections.time"],
    ["Client", "", "from the thread"],
    ["Office hours", "", "added by the hook office-hours"],
    ["Summary", "The story so far", "in place of older messages"],
    ["Reply", 'ls {"a":1}', "from the conversation"],
    ["ls", "a.txt b.txt", "a tool's result"],
  ]);
});

test("what is copied is the request without what is said about it", () => {
  expect(JSON.parse(requestJson(REQUEST))).toEqual({
    system: "You are Ada.\n\nYou work in /workspace.\n\nIt is Friday.\n\nAnswer in French.\n\nIt is late.",
    tools: [],
    messages: [
      { role: "user", content: "The story so far" },
      { role: "assistant", content: "", calls: [{ name: "ls", arguments: '{"a":1}' }] },
      { role: "tool", name: "ls", content: "a.txt\nb.txt" },
    ],
  });
});

test("what is new since the last call is shown apart", () => {
  expect(newParts(REQUEST).flatMap(({ parts }) => parts.map(({ name }) => name))).toEqual(["Reply", "ls"]);
});
