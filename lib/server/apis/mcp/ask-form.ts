import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Decision, Interrupt, Question } from "@/lib/schema/runs/interrupt";
import { askMessage } from "@/lib/server/apis/ask-message";

type Fields = ElicitRequestFormParams["requestedSchema"]["properties"];
type AskForm = Omit<ElicitRequestFormParams, "mode">;

const MAX_ARGS_CHARS = 4_000;

/** What tells an ask from the others of its run: subagents may use the same call ids. */
export function keyOfAsk({ runId = "", toolCallId }: Pick<Interrupt, "runId" | "toolCallId">): string {
  return `${runId}/${toolCallId}`;
}

/** The form in which a client asks its person. Questions have one field per answer, everything else a decision. */
export function formOfAsk(ask: Interrupt): AskForm {
  const fields = ask.kind === "question" ? answerFields(ask.questions ?? []) : decisionFields(ask);
  const required = ask.kind === "question" ? Object.keys(fields) : ["decision"];
  return { message: messageOf(ask), requestedSchema: { type: "object", properties: fields, required } };
}

function decisionFields({ kind, budget }: Interrupt): Fields {
  const decision = { type: "string", title: "Decision", enum: ["allow", "deny"] } as const;
  const reason = { type: "string", title: "Reason", description: "Why not, for the agent." } as const;
  if (kind !== "budget") return { decision, reason };
  if (budget?.capUsd === null) {
    return { decision, add_tokens: { type: "integer", title: "Tokens to add", minimum: 0 } };
  }
  return { decision, add_usd: { type: "number", title: "US dollars to add", minimum: 0 } };
}

function answerFields(questions: readonly Question[]): Fields {
  return Object.fromEntries(questions.map((question, index) => [answerName(index), answerField(question)]));
}

function answerField({ question: description, options, multiple }: Question): Fields[string] {
  if (options === undefined) return { type: "string", description, minLength: 1 };
  if (multiple) return { type: "array", description, items: { type: "string", enum: options }, minItems: 1 };
  return { type: "string", description, enum: options };
}

function answerName(index: number): string {
  return `answer_${index + 1}`;
}

function messageOf(ask: Interrupt): string {
  if (ask.kind !== "approval") return askMessage(ask);
  const shown = JSON.stringify(ask.args, null, 2);
  const cut = shown.length > MAX_ARGS_CHARS ? `${shown.slice(0, MAX_ARGS_CHARS).toWellFormed()}…` : shown;
  return `${askMessage(ask)}\n${cut}`;
}

const Reply = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).nullish(),
});
const Verdict = z.object({ decision: z.enum(["allow", "deny"]), reason: z.string().max(10_000).optional() });
const Added = z.object({ add_usd: z.number().optional(), add_tokens: z.number().optional() });
const GivenAnswer = z.union([z.string(), z.array(z.string())]);

const NO_DECISION = "The MCP client's answer has no decision, so the call was denied.";
/** Why a call is denied whose client has no elicitation. */
export const NO_ELICITATION =
  "Nobody could be asked: the MCP client that started this run has no elicitation, so the call was denied.";
/** Why a call is denied whose client answered the question with an error. */
export const FAILED_ELICITATION = "The MCP client could not ask anybody, so the call was denied.";

/** The decision that a client's reply stands for. Whatever is no decision denies. */
export function decisionOfReply(ask: Interrupt, reply: unknown): Decision {
  const read = Reply.safeParse(reply);
  if (!read.success) return denied(ask, NO_DECISION);
  const { action, content } = read.data;
  if (action === "decline") return denied(ask, "The user declined.");
  if (action === "cancel") return denied(ask, "The user dismissed the question without an answer.");
  return ask.kind === "question" ? answered(ask, content ?? {}) : decided(ask, content ?? {});
}

/** The ask denied with a reason for the agent. */
export function denied({ toolCallId, runId }: Interrupt, reason: string): Decision {
  return { ...target({ toolCallId, runId }), decision: "deny", reason };
}

function target({ toolCallId, runId }: Pick<Interrupt, "toolCallId" | "runId">) {
  return { tool_call_id: toolCallId, ...(runId === undefined ? {} : { run_id: runId }) };
}

function decided(ask: Interrupt, content: Record<string, unknown>): Decision {
  const verdict = Verdict.safeParse(content);
  if (!verdict.success) return denied(ask, NO_DECISION);
  const { decision, reason = "" } = verdict.data;
  if (decision === "deny") return denied(ask, reason.trim() === "" ? "The user denied it." : reason);
  const added = ask.kind === "budget" ? Added.safeParse(content).data : undefined;
  return { ...target(ask), decision, ...(added === undefined ? {} : { args: added }) };
}

function answered(ask: Interrupt, content: Record<string, unknown>): Decision {
  const given = (ask.questions ?? []).map((_, index) => GivenAnswer.safeParse(content[answerName(index)]));
  if (given.some(({ success }) => !success)) return denied(ask, NO_DECISION);
  const answers = given.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return { ...target(ask), decision: "answer", answers };
}
