import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { BudgetConfig } from "@/lib/schema/agents/agent-config-budget";
import { ResponseRequest } from "@/lib/schema/apis/responses";
import { Traceparent } from "@/lib/schema/apis/traceparent";
import { AppError } from "@/lib/schema/app-error";
import { type ImageRef, type InputMessage, Message } from "@/lib/schema/messages/message";
import { ExactCall } from "@/lib/schema/triggers/exact-call";
import { createId } from "@/lib/server/platform/create-id";
import { logger } from "@/lib/server/platform/logger";
import { PATTERN_NAMES } from "@/lib/text/scan/patterns";

/**
 * A trigger's rules for its runs: calls that need no approval, calls that are refused, and the spending limits in
 * dollars, per run and per day.
 */
export const TriggerRules = z.object({
  id: z.string(),
  name: z.string(),
  allow: z.array(ExactCall),
  deny: z.array(ExactCall),
  runUsd: z.number().nullable(),
  dayUsd: z.number().nullable(),
  /**
   * The trigger's runs come from outside: their own files, no memory, and at least the questions of the mode `default`.
   */
  isConfined: z.literal(true).optional(),
  /** Only for a heartbeat. */
  maxSteps: z.number().optional(),
});
export type TriggerRules = z.infer<typeof TriggerRules>;

/** The board turn that a run takes. Without `role`, only the board's budget applies. */
export const BoardTurn = z.object({
  id: z.string(),
  role: z.enum(["work", "review", "lead"]).optional(),
  cardId: z.string().optional(),
  turnId: z.string().optional(),
});
export type BoardTurn = z.infer<typeof BoardTurn>;

/**
 * `Run.input`: what the run first adds to the history, and where its reply goes in the transcript. `canAsk` is false if
 * no person can answer (`/v1`); with `noHistory` the model reads nothing of the thread before the run (S3);
 * `defaultResponse` replaces the agent's, `compact: false` leaves the thread as it is after the run (S3); with
 * `isRetry` the run first repeats the failed model call of the run that it continues; `draftRevision` is set in a test
 * thread, whose runs have their own files.
 */
export const RunInput = z.object({
  messages: z.array(Message),
  /** Null while the run is queued behind other runs: it gets its position when it starts (D-89). */
  transcriptPosition: z.number().nullable(),
  /** For an edited queued message: the text first sent, which identifies a repeated request. */
  sent: z.array(z.string()).optional(),
  /** What the input guard found in the messages. */
  finding: z.object({ patterns: z.array(z.enum(PATTERN_NAMES)).readonly(), mode: z.enum(["log", "warn"]) }).optional(),
  canAsk: z.boolean().optional(),
  noHistory: z.boolean().optional(),
  defaultResponse: z.string().optional(),
  compact: z.literal(false).optional(),
  isRetry: z.boolean().optional(),
  draftRevision: z.number().optional(),
  /** The ids that an AG-UI client gave to the messages. */
  clientIds: z.array(z.string()).optional(),
  /** For a run that answers `/v1/responses`: its instructions are part of the prompt, in this run alone. */
  response: ResponseRequest.optional(),
  /** A person wrote the message for its thread, so that a stop holds it while it is queued (D-96). */
  fromPerson: z.literal(true).optional(),
  /** The message is an edited one, or answers one again: sent later, it keeps its place in the tree (D-88). */
  beginsBranch: z.literal(true).optional(),
  /** The caller's trace, for the spans that are exported. */
  traceparent: Traceparent.optional(),
  /** If the run may hand the conversation over: the number of handoffs since a person's message. */
  handoffs: z.number().optional(),
  /** For a run started by a trigger, and its subagents. */
  trigger: TriggerRules.optional(),
  /** For a run on a board, and its subagents. */
  board: BoardTurn.optional(),
  /** For a subagent: its ancestors, root first, whose budgets it draws on; `own` if its agent has limits. */
  ancestors: z
    .array(
      z.object({
        runId: z.string(),
        agentId: z.string(),
        threadId: z.string(),
        own: BudgetConfig.optional(),
        /** The run was delegated: what people allowed to the agents above it applies neither to it nor below it. */
        isDelegated: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type RunInput = z.infer<typeof RunInput>;

/** For lists, and for the end of a run whose input can't be read: nothing of it enters the thread. */
export function readInputOrNone(input: string): RunInput {
  try {
    return RunInput.parse(JSON.parse(input));
  } catch (error) {
    logger().error({ err: error }, "the input of a run can't be read");
    return { messages: [], transcriptPosition: null };
  }
}

/** The revision of the draft that a test run, or one of its subagents, belongs to; null for other runs. */
export function draftRevisionOf({ input }: { readonly input: string }): number | null {
  // Few runs are tests, and the others should not pay for parsing their input again.
  return input.includes('"draftRevision":') ? (RunInput.parse(JSON.parse(input)).draftRevision ?? null) : null;
}

/** The number of handoffs before this run; null if it can't hand over. */
export function handoffsOf({ input }: { readonly input: string }): number | null {
  return input.includes('"handoffs":') ? (RunInput.parse(JSON.parse(input)).handoffs ?? null) : null;
}

/** The request of the response that the run answers; null for all others, whose input is not parsed again. */
export function responseRequestOf({ input }: { readonly input: string }): ResponseRequest | null {
  return input.includes('"response":') ? (RunInput.parse(JSON.parse(input)).response ?? null) : null;
}

/** The rules of the trigger that started the run, or the run above it. */
export function triggerRulesOf({ input }: { readonly input: string }): TriggerRules | null {
  return input.includes('"trigger":') ? (RunInput.parse(JSON.parse(input)).trigger ?? null) : null;
}

/** The board that a run works for; null for all others, whose input is not parsed again. */
export function boardTurnOf({ input }: { readonly input: string }): BoardTurn | null {
  return input.includes('"board":') ? (RunInput.parse(JSON.parse(input)).board ?? null) : null;
}

export type SentMessage = Extract<Message, { role: "user" | "system" }>;

/** A message as accepted: with its images, whose bytes are already stored. */
export type SentInput = InputMessage & { readonly images?: ImageRef[] | undefined };

/**
 * Gives messages their ids and removes characters that no database stores (NUL, half surrogates). Text that is too long
 * is stored whole; the loop shortens it for the model (D-30). Throws `invalid_input`, naming the message in `field` of
 * the request, if nothing is left or a system message is not allowed (D-33).
 */
export function normalizeMessages(
  messages: readonly SentInput[],
  config: AgentConfig,
  field = "messages",
): SentMessage[] {
  return messages.map(({ role, content, images = [] }, index) => {
    if (role === "system" && !config.allow_client_system_messages) {
      throw invalid(`${field}.${index}.role`, "This agent takes no system messages.");
    }
    const cleaned = cleanText(content);
    if (cleaned.trim() === "" && images.length === 0) {
      throw invalid(`${field}.${index}.content`, "The message must not be empty.");
    }
    const sent = { id: createId("msg"), content: cleaned };
    return role === "user" && images.length > 0 ? { ...sent, role, images } : { ...sent, role };
  });
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path, message }] });
}
