import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, type ModelMessage, streamText, tool } from "ai";
import { z } from "zod";
import { runCalculation } from "./calculation";
import type { LoopOptions } from "./loop-options";

/** The AI SDK's own loop with one tool, its stream drained, nothing stored. */
export async function aiSdkLoop({ baseUrl, history }: LoopOptions): Promise<string> {
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl });
  const result = streamText({
    model: provider("bench"),
    messages: history.map((message) => ({ role: message.role, content: message.content }) as ModelMessage),
    stopWhen: isStepCount(100),
    tools: {
      calculate: tool({
        description: "Adds numbers",
        inputSchema: z.object({ expression: z.string() }),
        execute: async (input) => runCalculation(JSON.stringify(input)),
      }),
    },
  });
  await result.consumeStream();
  return result.text;
}
