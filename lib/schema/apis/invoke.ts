import { z } from "zod";
import { VersionName } from "@/lib/schema/agents/agent-version";
import { InputMessage } from "@/lib/schema/messages/message";
import { sentMessages } from "@/lib/schema/messages/text-limits";
import { Decision, WireInterrupt } from "@/lib/schema/runs/interrupt";
import { RunStatus } from "@/lib/schema/runs/run";
import { Todo } from "@/lib/schema/runs/todo";
import { WIRE_USAGE_NOTES } from "@/lib/schema/runs/usage";
import { PartedContent } from "./parts";

/** The id a client chooses for its thread (D-58). */
export const ClientThreadId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, "must not have control characters");

/** Text, or parts of text and pictures as OpenAI's clients send them (`image_url` with a `data:` address). */
const SentMessage = z
  .strictObject({ role: InputMessage.shape.role, content: PartedContent })
  .transform(({ role, content: { text, pictures } }) => ({ role, content: text, pictures }))
  .refine(({ content, pictures }) => content !== "" || pictures.length > 0, {
    message: "content must not be empty",
    path: ["content"],
  });

/** POST `/agents/{id}/invoke`. */
export const InvokeBody = z.strictObject({
  messages: sentMessages(z.array(SentMessage).min(1, "messages must not be empty").max(1_000)),
  thread_id: ClientThreadId.optional(),
  trace: z
    .boolean()
    .describe("False: no trace of this run is kept and trace_id is null. Its usage is still counted.")
    .optional(),
  no_history: z
    .boolean()
    .describe(
      "True: the model reads neither the thread's earlier messages nor its summary in this run. The message and the reply are stored as always, so the next run without it reads them all.",
    )
    .optional(),
  default_response: z
    .string()
    .min(1)
    .max(10_000)
    .describe("What people read in this run if the model writes nothing, in place of the agent's default_response.")
    .optional(),
  compact: z.literal(false).describe("False: the thread is not compacted after this run.").optional(),
  /** True: the run continues after the client disconnects (D-46). */
  detach: z.boolean().optional(),
});
export type InvokeBody = z.infer<typeof InvokeBody>;

export const StreamQuery = z.strictObject({
  format: z.enum(["wick", "run"]).default("wick"),
  /** The agent's version to run; a continued run keeps its own. */
  version: VersionName.optional(),
});

/** POST `/agents/{id}/resume`. */
export const ResumeBody = z.strictObject({
  thread_id: ClientThreadId,
  decisions: z.array(Decision).min(1).max(200),
  stream: z.boolean().optional(),
  /** True: the run continues after the client disconnects (D-46). */
  detach: z.boolean().optional(),
});
export type ResumeBody = z.infer<typeof ResumeBody>;

const WireUsage = z.object({
  /** Null if any call's usage is unknown. */
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  total_tokens: z.number().nullable(),
  ...WIRE_USAGE_NOTES,
  cost_usd: z.number().nullable(),
});

const WireToolCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  output: z.string().optional(),
  error: z.string().optional(),
  /** The tool's message to the user, which the model does not see. */
  for_user: z.string().optional(),
});

export const InvokeReply = z.object({
  run_id: z.string(),
  /** Null if no trace is kept (`trace: false`). */
  trace_id: z.string().nullable(),
  thread_id: z.string(),
  status: RunStatus,
  /** The text of the last reply; if it has none, the agent's `default_response`, otherwise the notice. */
  response: z.string(),
  /** Why the run stopped at a limit, or why there is no text or only part of one (D-69). */
  notice: z.string().optional(),
  tool_calls: z.array(WireToolCall),
  todos: z.array(Todo),
  files: z.record(z.string(), z.string()),
  usage: WireUsage,
  interrupted: z.boolean(),
  interrupts: z.array(WireInterrupt),
  compaction_count: z.number(),
});
export type InvokeReply = z.infer<typeof InvokeReply>;

export const WireMessage = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  tool_calls: z
    .array(z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) }))
    .optional(),
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
});
export type WireMessage = z.infer<typeof WireMessage>;

/** GET `/agents/{id}/threads/{thread_id}`: S0's AgentState. `status` is the latest run's, null before the first. */
export const AgentState = z.object({
  thread_id: z.string(),
  messages: z.array(WireMessage),
  todos: z.array(Todo),
  files: z.record(z.string(), z.string()),
  summary: z.string().nullable(),
  compaction_count: z.number(),
  /** `provider:model` that answered last, and its provider; null before the first answer. */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  status: RunStatus.nullable(),
  usage: WireUsage,
});
export type AgentState = z.infer<typeof AgentState>;
