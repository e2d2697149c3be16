import type { Hook } from "@/lib/agent/hooks/hook";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { estimateTokens } from "@/lib/agent/messages/estimate-tokens";
import type { ModelRequest } from "@/lib/agent/model";
import { type RefusedLength, refusedLengthOf } from "@/lib/agent/refused-length";
import type { RunContext } from "@/lib/agent/run-context";
import { currentModelSpan } from "@/lib/agent/tracing/current-spans";
import { recordSent } from "@/lib/agent/tracing/sent-request";
import { answerAttributes, inputAttributes } from "@/lib/agent/tracing/span-attributes";
import { summaryPrompt } from "@/lib/context/summary-prompt";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { RunSummary } from "@/lib/schema/runs/run-event";
import { costOf, type Spending } from "@/lib/schema/runs/usage";

interface SummarizationOptions {
  readonly settings: AgentConfig["summarization"];
  readonly contextWindow: number;
  readonly charsPerToken: number;
  /** Stores the model's input on the summary's span. */
  readonly isVerbose?: boolean;
}

/** A summary of the first `count` messages of the history; `last` is the last of them. */
interface Summary {
  readonly count: number;
  readonly last: Message;
  readonly message: Message;
}

/**
 * S0's summarization hook: if the history is estimated strictly above `ratio` of the window, its older part is sent as
 * one summary (role user) for this call; the stored history is unchanged. A summary is reused while it suffices, also
 * in later segments of the run, and is included in the next one. If summarising fails, the messages pass through
 * unchanged.
 */
export function summarizationHook(options: SummarizationOptions): Hook {
  const { settings, contextWindow, charsPerToken } = options;
  const threshold = Math.floor(settings.ratio * contextWindow);
  const isTooLong = (messages: readonly Message[]) => estimateTokens(messages, charsPerToken) > threshold;
  let latest: Summary | null = null;

  let isForced = false;

  /** `limitTokens`: the window that a refusal named; it is summarised then whatever the estimate says. */
  async function compress(
    messages: readonly Message[],
    context: RunContext,
    limitTokens: number | null = null,
  ): Promise<readonly Message[]> {
    latest ??= fromEarlier(context.state.summary, messages);
    const known = latest && isPrefix(latest, messages) ? latest : null;
    const current = withSummary(messages, known);
    const cut = findCut(messages, known?.count ?? 0, settings);
    const last = cut === null ? undefined : messages[cut - 1];
    if (cut === null || !last || (limitTokens === null && !isTooLong(current))) return current;

    const old = current.slice(0, cut - (messages.length - current.length));
    const window = Math.min(contextWindow, limitTokens ?? contextWindow);
    const summary = await summarize(old, messages.length - cut, context, { ...options, contextWindow: window });
    if (!summary) return current;
    latest = { count: cut, last, message: summaryMessage(summary.text) };
    remember(context, latest, summary);
    return withSummary(messages, latest);
  }

  function mayShorten({ limitTokens, sentTokens }: RefusedLength, messages: readonly Message[]): boolean {
    const estimate = estimateTokens(messages, charsPerToken);
    return estimate >= contextWindow / 2 || (limitTokens !== undefined && (sentTokens ?? estimate) > limitTokens);
  }

  /** The whole history summarised after a refusal for its length; throws the refusal if that would not help. */
  async function shortened(
    error: unknown,
    { sent, whole }: { readonly sent: readonly Message[]; readonly whole: readonly Message[] },
    context: RunContext,
  ): Promise<readonly Message[]> {
    const refused = refusedLengthOf(error);
    if (!refused || !mayShorten(refused, sent)) throw error;
    const shorter = await compress(whole, context, refused.limitTokens ?? contextWindow);
    if (estimateTokens(shorter, charsPerToken) >= estimateTokens(sent, charsPerToken)) throw error;
    isForced = true;
    return shorter;
  }

  return {
    name: "summarization",
    async wrapModelCall(request, next, context) {
      if (!settings.enabled) return next(request);
      const isDue = isForced || isTooLong(request.messages);
      const messages = isDue ? await compress(request.messages, context) : request.messages;
      if (latest && messages[0] === latest.message) currentModelSpan(context)?.set({ summarized_count: latest.count });
      try {
        return await next(messages === request.messages ? request : { ...request, messages });
      } catch (error) {
        const shorter = await shortened(error, { sent: messages, whole: request.messages }, context);
        const reply = await next({ ...request, messages: shorter });
        return { ...reply, notices: [...(reply.notices ?? []), SUMMARISED] };
      }
    },
  };
}

const SUMMARISED =
  "The conversation was too long for the model. Its older part was summarised for this answer; /compact makes it shorter for good.";

/** The summary of an earlier segment, if it still covers the beginning of the messages. */
function fromEarlier(known: RunSummary | null | undefined, messages: readonly Message[]): Summary | null {
  const last = known ? messages[known.count - 1] : undefined;
  if (!known || last?.id !== known.lastId) return null;
  return { count: known.count, last, message: summaryMessage(known.text) };
}

/** Stores the summary for later segments of the run, which locate its end by the id of the last message. */
function remember({ state, step, log }: RunContext, { count, last }: Summary, { text, usage, costUsd }: Written): void {
  if (last.id === undefined) return;
  state.summary = { count, lastId: last.id, text };
  log.emit({ type: "summary.completed", step, ...state.summary, usage, costUsd });
}

function summaryMessage(text: string): Message {
  return { role: "user", content: `[Summary of the conversation so far]\n${text}` };
}

/** The messages as a call of the run would send them, with the known summary if it still covers their beginning. */
export function withEarlierSummary(
  messages: readonly Message[],
  known: RunSummary | null | undefined,
): readonly Message[] {
  return withSummary(messages, fromEarlier(known, messages));
}

function isPrefix({ count, last }: Summary, messages: readonly Message[]): boolean {
  const message = messages[count - 1];
  return message === last || (message?.id !== undefined && message.id === last.id);
}

function withSummary(messages: readonly Message[], summary: Summary | null): readonly Message[] {
  return summary ? [summary.message, ...messages.slice(summary.count)] : messages;
}

/**
 * The start of the part to keep (D-3), moved back to the message whose calls it answers (D-3a). Null: nothing to cut.
 */
function findCut(messages: readonly Message[], from: number, settings: AgentConfig["summarization"]): number | null {
  const count = messages.length - from;
  const keep = Math.max(settings.keep_min, Math.floor(count * settings.keep_ratio));
  let cut = messages.length - keep;
  while (cut > from && messages[cut]?.role === "tool") cut--;
  return cut > from ? cut : null;
}

interface Written extends Spending {
  readonly text: string;
}

/** The summary, or null if it failed. */
async function summarize(
  old: readonly Message[],
  keptCount: number,
  context: RunContext,
  { settings, contextWindow, charsPerToken, isVerbose = false }: SummarizationOptions,
): Promise<Written | null> {
  const parentId = currentModelSpan(context)?.id;
  const span = context.trace?.startSpan({
    name: "summary",
    type: "summary",
    ...(parentId ? { parentId } : {}),
    attributes: {
      step: context.step,
      model: context.model.name,
      message_count: old.length,
      kept_count: keptCount,
      estimated_tokens: estimateTokens(old, charsPerToken),
      estimated: true,
      note: `${old.length} messages summarised, ${keptCount} kept`,
    },
  });
  try {
    const { truncate_chars: truncateChars, max_words: maxWords } = settings;
    const prompt = summaryPrompt(old, { truncateChars, budgetTokens: contextWindow * 0.8, charsPerToken, maxWords });
    const request = summaryRequest(prompt, settings.max_tokens);
    if (isVerbose) span?.set(inputAttributes(request, context.config.trace.max_body_chars));
    if (context.trace && span) {
      span.set(recordSent(request, { trace: context.trace, spanId: span.id, charsPerToken }).attributes);
    }
    const reply = await context.model.call(request, { signal: context.signal });
    if (reply.content.trim() === "") throw new Error("the summary was empty");
    span?.set(answerAttributes(reply, context.config.trace));
    span?.end("completed");
    return { text: reply.content, usage: reply.usage, costUsd: costOf(reply) };
  } catch (error) {
    span?.end(context.signal.aborted ? "cancelled" : "failed", messageOf(error));
    context.signal.throwIfAborted();
    context.logLine("warn", `summary failed, the conversation is sent unchanged: ${messageOf(error)}`);
    return null;
  }
}

function summaryRequest(prompt: string, maxTokens: number): ModelRequest {
  return { system: [], messages: [{ role: "user", content: prompt }], tools: [], maxTokens, temperature: null };
}
