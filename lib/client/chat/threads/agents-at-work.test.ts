import { expect, test } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { agentsAtWork } from "./agents-at-work";

const child = (name: string, status: SubagentData["status"]) => ({
  type: "data-subagent" as const,
  id: name,
  data: {
    toolCallId: name,
    runId: `run_${name}`,
    name,
    description: "Look",
    background: false,
    status,
    lastLine: "",
    tokens: 0,
    costUsd: 0,
  },
});
const reply = (runId: string, ...parts: ChatMessage["parts"]): ChatMessage => ({
  id: `msg_${runId}`,
  role: "assistant",
  parts,
  metadata: { runId },
});

test("the agents at work are those of the current run that have not ended, whether they wait or run", () => {
  const messages = [
    reply("run_1", child("early", "running")),
    reply("run_2", child("done", "completed"), child("asks", "waiting"), child("busy", "running")),
  ];
  expect(agentsAtWork(messages, "run_2").map(({ name }) => name)).toEqual(["asks", "busy"]);
  expect(agentsAtWork(messages, null)).toEqual([]);
});
