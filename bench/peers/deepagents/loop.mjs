import { tool } from "@langchain/core/tools";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { ChatOpenAI } from "@langchain/openai";
import { createDeepAgent } from "deepagents";
import { z } from "zod";

let threads = 0;
let checkpointer = null;

async function answer({ baseUrl, history, calculate }, own, configuration) {
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
    ...own,
  });
  const stream = await agent.stream(
    { messages: history },
    { streamMode: ["messages", "values"], recursionLimit: 1_000, ...configuration },
  );
  let last;
  for await (const [mode, value] of stream) if (mode === "values") last = value;
  return last.messages.at(-1).text;
}

/** deepagents on LangGraph, with its defaults (its prompt, planning and files in memory), with the tool, streamed. */
export function run(options) {
  return answer(options, {}, {});
}

/** The same with LangGraph's checkpoints of a new thread, stored by SQLite in a file. */
export function runStored(options) {
  checkpointer ??= SqliteSaver.fromConnString(options.database);
  threads += 1;
  return answer(options, { checkpointer }, { configurable: { thread_id: `thread-${threads}` } });
}

/** How many checkpoints of the last thread are stored. */
export async function countStored() {
  let count = 0;
  for await (const _ of checkpointer.list({ configurable: { thread_id: `thread-${threads}` } })) count += 1;
  return count;
}
