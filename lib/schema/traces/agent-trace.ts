import { z } from "zod";
import { RunStatus } from "@/lib/schema/runs/run";
import { WIRE_USAGE_NOTES } from "@/lib/schema/runs/usage";
import { SpanStatus, SpanType } from "./span";

/** A trace as the public agent API sends it (S0, S1): snake_case, times ISO 8601, `cost_usd` null if unknown. */
export const AgentTrace = z.object({
  trace_id: z.string(),
  run_id: z.string(),
  agent_id: z.string(),
  thread_id: z.string(),
  status: RunStatus,
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  /** Null if the usage of any call is unknown. */
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  ...WIRE_USAGE_NOTES,
  cost_usd: z.number().nullable(),
  error: z.string().nullable(),
});
export type AgentTrace = z.infer<typeof AgentTrace>;

export const AgentTraceList = z.object({ traces: z.array(AgentTrace), next_cursor: z.string().nullable() });
export type AgentTraceList = z.infer<typeof AgentTraceList>;

export const AgentTraceDetail = AgentTrace.extend({
  spans: z.array(
    z.object({
      id: z.string(),
      parent_id: z.string().nullable(),
      type: SpanType,
      name: z.string(),
      status: SpanStatus,
      started_at: z.string(),
      duration_ms: z.number().nullable(),
      attributes: z.record(z.string(), z.unknown()),
      error: z.string().optional(),
    }),
  ),
});
export type AgentTraceDetail = z.infer<typeof AgentTraceDetail>;

/** Query of `GET /agents/traces`. `status` and `agent_id` may name several, separated by commas. */
export const AgentTraceQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
  agent_id: z.string().max(1000).optional(),
  status: z.string().max(200).optional(),
  model: z.string().max(200).optional(),
  q: z.string().max(200).optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
});
export type AgentTraceQuery = z.infer<typeof AgentTraceQuery>;
