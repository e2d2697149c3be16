import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

/** Mastra's agent with the tool, streamed, without memory or storage. */
export async function run({ baseUrl, history, calculate }) {
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl });
  const agent = new Agent({
    id: "bench",
    name: "bench",
    instructions: "You add numbers.",
    model: provider("bench"),
    tools: {
      calculate: createTool({
        id: "calculate",
        description: "Adds numbers",
        inputSchema: z.object({ expression: z.string() }),
        execute: async (input) => calculate(input),
      }),
    },
  });
  const result = await agent.stream(history, { maxSteps: 100 });
  for await (const _ of result.fullStream);
  return result.text;
}
