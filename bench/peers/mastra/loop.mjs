import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { Memory } from "@mastra/memory";
import { z } from "zod";

let threads = 0;
let memory = null;

function createAgent({ baseUrl, calculate }, own) {
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl });
  return new Agent({
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
    ...own,
  });
}

async function finish(result) {
  for await (const _ of result.fullStream);
  return result.text;
}

/** Mastra's agent with the tool, streamed, without memory or storage. */
export async function run(options) {
  return finish(await createAgent(options, {}).stream(options.history, { maxSteps: 100 }));
}

/** The same with its memory: a new thread, whose messages are stored by LibSQL in a file. */
export async function runStored(options) {
  memory ??= new Memory({ storage: new LibSQLStore({ id: "bench", url: `file:${options.database}` }) });
  threads += 1;
  const of = { thread: `thread-${threads}`, resource: "bench" };
  return finish(await createAgent(options, { memory }).stream(options.history, { maxSteps: 100, memory: of }));
}

/** How many calls of the last thread are stored. */
export async function countStored() {
  const { messages } = await memory.recall({ threadId: `thread-${threads}`, resourceId: "bench" });
  const parts = messages.flatMap(({ content }) => content.parts);
  return parts.filter(({ type }) => type === "tool-invocation").length;
}
