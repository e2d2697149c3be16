import { z } from "zod";
import { SandboxStatus } from "./agents/agent-info";

/** GET `/health`; no sign-in. */
export const Health = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  agents_loaded: z.number(),
  active_runs: z.number(),
  database: z.enum(["ok", "unreachable", "deleted", "damaged"]),
  /** The problem and what to do; absent if all is well. */
  problem: z.string().optional(),
});
export type Health = z.infer<typeof Health>;

/** GET `/api/status`: what this installation runs on. */
export const Status = z.object({
  version: z.string(),
  publicUrl: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
  sandbox: SandboxStatus,
  /** The Docker engine, for agents whose commands run in containers. */
  dockerSandbox: SandboxStatus,
  defaultModel: z.string().nullable(),
  providers: z.array(z.object({ id: z.string(), name: z.string(), configured: z.boolean() })),
});
export type Status = z.infer<typeof Status>;
