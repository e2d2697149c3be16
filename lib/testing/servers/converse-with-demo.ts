import type { ModelRequest } from "@/lib/agent/model";
import { demoModel } from "@/lib/models/demo/demo-model";
import type { Message, ToolCall } from "@/lib/schema/messages/message";

/** Every tool that the demo model supports. */
export const DEMO_TOOLS = [
  "write_todos",
  "ls",
  "read_file",
  "write_file",
  "edit_file",
  "glob",
  "grep",
  "execute",
  "calculate",
  "current_datetime",
  "ask_user",
  "task",
  "delegate",
  "handoff",
];
const { signal } = new AbortController();
const model = demoModel({ paceMs: 0 });

type Answers = (call: ToolCall) => string | { error: string };

export function demoRequest(messages: readonly Message[], offered: readonly string[]): ModelRequest {
  const tools = offered.map((name) => ({ name, description: "", parameters: {} }));
  return { system: [], messages, tools, maxTokens: 4_096, temperature: null };
}

/** Runs the demo model until it answers without a call. */
export async function converseWithDemo(
  text: string,
  answers: Answers = () => "ok",
  offered: readonly string[] = DEMO_TOOLS,
) {
  const messages: Message[] = [{ role: "user", content: text }];
  const rounds: ToolCall[][] = [];
  for (;;) {
    const reply = await model.call(demoRequest(messages, offered), { signal });
    if (reply.toolCalls.length === 0) return { rounds, calls: rounds.flat(), answer: reply.content };
    if (rounds.length > 30) throw new Error("The demo model does not come to an end.");
    rounds.push(reply.toolCalls);
    messages.push({ role: "assistant", content: reply.content, toolCalls: reply.toolCalls });
    for (const call of reply.toolCalls) {
      const given = answers(call);
      const isError = typeof given !== "string";
      const content = isError ? given.error : given;
      messages.push({ role: "tool", toolCallId: call.id, name: call.name, content, isError });
    }
  }
}
