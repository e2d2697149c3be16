import { createHash } from "node:crypto";
import { defineHook, type ModelReply, type ModelRequest, z } from "ringmaster";

interface Kept {
  readonly reply: ModelReply;
  readonly until: number;
}

/** What the model has answered, by request. It outlives a run: a module is loaded once, until its file changes. */
const kept = new Map<string, Kept>();

/** A ring around the model: the same request is answered from memory for a while. */
export default defineHook({
  name: "reply-cache",
  description: "Answers a request that was made before without asking the model again.",
  config: z.object({ minutes: z.number().positive().default(10), max: z.number().int().positive().default(500) }),
  create: ({ minutes, max }) => ({
    async wrapModelCall(request, next, context) {
      const key = `${context.agentId} ${keyOf(request)}`;
      const known = kept.get(key);
      if (known && known.until > context.now()) return { ...known.reply, usage: NOTHING };
      const reply = await next(request);
      if (reply.finishReason !== "stop" && reply.finishReason !== "tool-calls") return reply;
      const oldest = kept.keys().next().value;
      if (kept.size >= max && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { reply, until: context.now() + minutes * 60_000 });
      return reply;
    },
  }),
});

/** A reply from memory costs nothing. */
const NOTHING = { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** Ids differ from run to run; what the model reads does not. */
function keyOf({ system, messages, tools, temperature }: ModelRequest): string {
  const read = messages.map(({ id: _, ...message }) => message);
  return createHash("sha256")
    .update(JSON.stringify([system, read, tools, temperature]))
    .digest("hex");
}
