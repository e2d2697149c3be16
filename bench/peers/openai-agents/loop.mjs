import { Agent, OpenAIChatCompletionsModel, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";

/** OpenAI Agents: one agent with the tool, streamed, its tracing off, nothing stored. */
export async function run({ baseUrl, history, calculate }) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const agent = new Agent({
    name: "bench",
    model: new OpenAIChatCompletionsModel(client, "bench"),
    tools: [
      tool({
        name: "calculate",
        description: "Adds numbers",
        parameters: z.object({ expression: z.string() }),
        execute: async (input) => calculate(input),
      }),
    ],
  });
  const runner = new Runner({ tracingDisabled: true });
  const input = history.map(({ role, content }) =>
    role === "assistant"
      ? { role, status: "completed", content: [{ type: "output_text", text: content }] }
      : { role, content },
  );
  const result = await runner.run(agent, input, { stream: true, maxTurns: 100 });
  for await (const _ of result);
  await result.completed;
  return result.finalOutput;
}
