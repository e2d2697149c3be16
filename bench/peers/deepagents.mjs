import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createDeepAgent } from "deepagents";
import { z } from "zod";

/** deepagents on LangGraph, with its defaults (its prompt, planning and files in memory), with the tool, streamed. */
export async function run({ baseUrl, history, calculate }) {
  const model = new ChatOpenAI({
    model: "bench",
    apiKey: "none",
    streaming: true,
    configuration: { baseURL: baseUrl },
  });
  const agent = createDeepAgent({
    model,
    tools: [
      tool(async (input) => calculate(input), {
        name: "calculate",
        description: "Adds numbers",
        schema: z.object({ expression: z.string() }),
      }),
    ],
  });
  const stream = await agent.stream(
    { messages: history },
    { streamMode: ["messages", "values"], recursionLimit: 1_000 },
  );
  let last;
  for await (const [mode, value] of stream) if (mode === "values") last = value;
  return last.messages.at(-1).text;
}
