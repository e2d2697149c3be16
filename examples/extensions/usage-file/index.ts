import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { defineHook, z } from "ringmaster";

/** After each run: one line of JSON in a file. A relative path is below the folder of this file. */
export default defineHook({
  name: "usage-file",
  description: "Appends one line with the tokens of every run to a file.",
  config: z.object({ file: z.string().min(1).default("../../usage.jsonl") }),
  create: ({ file }) => ({
    async afterAgent({ status, steps, usage }, { runId, agentId, userId, now }) {
      const target = path.resolve(import.meta.dirname, file);
      const { inputTokens, outputTokens } = usage;
      const line = {
        at: new Date(now()).toISOString(),
        runId,
        agentId,
        userId,
        status,
        steps,
        inputTokens,
        outputTokens,
      };
      await mkdir(path.dirname(target), { recursive: true });
      await appendFile(target, `${JSON.stringify(line)}\n`);
    },
  }),
});
