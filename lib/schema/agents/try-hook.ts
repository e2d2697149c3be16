import { z } from "zod";
import { Message } from "@/lib/schema/messages/message";

export const HookPhase = z.enum([
  "before_agent",
  "modify_request",
  "wrap_model_call",
  "wrap_tool_call",
  "pre_tool_use",
  "post_tool_use",
  "after_agent",
]);
export type HookPhase = z.infer<typeof HookPhase>;

/** `result` is what the tool would return: no tool runs. */
const TriedCallBody = z.strictObject({
  name: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()).default({}),
  result: z.string().max(1_000_000).optional(),
});

/** POST `/api/agents/{id}/try-hook`: `call` for the phases around a tool, `messages` for all others. */
export const TryHookBody = z
  .strictObject({
    hook: z.string().min(1).max(100),
    phase: HookPhase,
    messages: z.array(Message).min(1).max(2_000).optional(),
    call: TriedCallBody.optional(),
  })
  .superRefine(({ phase, messages, call }, { addIssue }) => {
    const field = isCallPhase(phase) ? "call" : "messages";
    const given = { call, messages };
    if (given[field] === undefined) {
      addIssue({
        code: "custom",
        path: [field],
        message: `Send ${field}: ${phase} looks at ${SUBJECT_LABELS[field]}.`,
      });
    }
  });
export type TryHookBody = z.infer<typeof TryHookBody>;

const SUBJECT_LABELS = { call: "a tool call", messages: "the conversation" } as const;

/** Whether the phase concerns one tool call. */
export function isCallPhase(phase: HookPhase): boolean {
  return phase === "wrap_tool_call" || phase === "pre_tool_use" || phase === "post_tool_use";
}

/** The content of a model call. `reply` is the hook's answer in place of the model's. */
const TriedRequest = z.object({
  system: z.array(z.object({ name: z.string(), text: z.string() })),
  messages: z.array(Message),
  tools: z.array(z.string()),
  reply: z.string().optional(),
});
export type TriedRequest = z.infer<typeof TriedRequest>;

/** The call as the tool gets it, null if the hook keeps it from running; the result as the model reads it. */
const TriedCall = z.object({
  call: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }).nullable(),
  result: z.string().nullable(),
});
export type TriedCall = z.infer<typeof TriedCall>;

const Tried = z.union([TriedRequest, TriedCall]);

/**
 * `verdict` is the hook's decision on the call; `answer` means that the hook itself answers. With an `error` the hook
 * did not finish, and `after` equals `before`. `file` and `line` are set for an extension.
 */
export const TryHookReply = z.object({
  before: Tried,
  after: Tried,
  verdict: z
    .object({ verdict: z.enum(["allow", "continue", "ask", "deny", "answer"]), message: z.string().optional() })
    .optional(),
  error: z
    .object({
      kind: z.enum(["threw", "needs_model", "timeout"]),
      message: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
    })
    .optional(),
  /** The hook's output to the server's log during a run. */
  log: z.array(z.string()),
  durationMs: z.number(),
});
export type TryHookReply = z.infer<typeof TryHookReply>;
