import { z } from "zod";
import { HookInfo } from "./agent-info";
import { ContextRule, WindowSource } from "./context-rule";

/** A tool with what the permissions say about calling it; `rules` look at arguments and may decide otherwise. */
const FlowTool = z.object({
  name: z.string(),
  readOnly: z.boolean(),
  verdict: z.enum(["allow", "ask", "deny"]),
  explanation: z.string(),
  rules: z.number(),
  /** False: the model does not see it. */
  offered: z.boolean(),
  /** The models (`provider:model`) of the agent that are not offered it, because their provider refused it. */
  refusedBy: z.array(z.string()),
});

/** POST `/api/agents/{id}/preview-flow`: a message's path through a config, from its arrival to the end of its run. */
export const FlowPreview = z.object({
  input: z.object({
    guard: z.enum(["off", "log", "warn", "block"]),
    maxMessageChars: z.number(),
    onBusy: z.enum(["queue", "reject", "interrupt"]),
  }),
  window: z.number(),
  windowFrom: WindowSource,
  rules: z.array(ContextRule),
  /** In order: the first is the outermost ring. */
  hooks: z.array(HookInfo),
  /** `provider:model`, in the order in which they are tried. */
  models: z.array(z.string()),
  retries: z.number(),
  maxParallelTools: z.number(),
  tools: z.array(FlowTool),
  subagents: z.array(z.object({ name: z.string(), description: z.string() })),
  ending: z.object({
    maxIterations: z.number(),
    onLimit: z.enum(["stop", "final_answer"]),
    runMs: z.number(),
    /** Null if the loop guard is off. */
    stopAtRepeats: z.number().nullable(),
    runUsd: z.number().nullable(),
    runTokens: z.number().nullable(),
    onReach: z.string(),
  }),
});
export type FlowPreview = z.infer<typeof FlowPreview>;
