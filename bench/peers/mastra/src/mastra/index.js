// A server with one agent that stores its threads, as `mastra build --studio` wants it.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { LibSQLStore } from "@mastra/libsql";
import { Memory } from "@mastra/memory";

const provider = createOpenAICompatible({ name: "bench", baseURL: process.env.BENCH_MODEL_URL ?? "" });
const agent = new Agent({
  id: "bench",
  name: "bench",
  instructions: "You add numbers.",
  model: provider("bench"),
  memory: new Memory(),
});

export const mastra = new Mastra({
  agents: { bench: agent },
  storage: new LibSQLStore({ id: "bench", url: process.env.BENCH_DATABASE ?? "" }),
});
