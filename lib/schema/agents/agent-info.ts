import { z } from "zod";
import { Effort } from "./choices";

/** A hook's part in the run: its phases in the wire spelling of D-35. */
export const HookInfo = z.object({ name: z.string(), phases: z.array(z.string()) });
export type HookInfo = z.infer<typeof HookInfo>;

/** Whether commands can run on this machine, and what to do if they can't. */
export const SandboxStatus = z.object({
  available: z.boolean(),
  reason: z.string().nullable(),
  /** An administrator's remedy. */
  remedy: z.string().nullable(),
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

/** `GET /agents/{id}` (S0, S1). `system_prompt` is null for everybody but admins. */
export const AgentInfo = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** First messages that the start page offers. */
  starters: z.array(z.string()),
  model: z.string(),
  system_prompt: z.string().nullable(),
  tools: z.array(z.string()),
  hooks: z.array(HookInfo),
  backend: z.unknown().nullable(),
  skills: z.unknown(),
  memory: z.unknown(),
  /** The viewer's choices for a message instead of `model`; models are `provider:model`. */
  choices: z.object({ models: z.array(z.string()), efforts: z.array(Effort) }),
  context_window: z.number(),
  /** Per user message; the model reads no more of it (D-30). */
  max_message_chars: z.number(),
  /** Null while no version is published; only admins get such an agent. */
  version: z.number().nullable(),
  sandbox: SandboxStatus.nullable(),
  /** For admins: what prevents the agent from working as configured. */
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type AgentInfo = z.infer<typeof AgentInfo>;

export const AgentList = z.object({ agents: z.array(AgentInfo) });

/** GET `/api/agents/{id}/delegates`. */
export const DelegateList = z.object({
  delegates: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
});
export type DelegateList = z.infer<typeof DelegateList>;
