import type { ModelPort } from "@/lib/agent/model";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { trimStep } from "./blank-lines";
import { sanitizeSteps, sanitizeText } from "./sanitize-text";
import { isSilentText, silentReplyStep } from "./silent-reply";
import { applyStep, chainSteps, type StreamStep } from "./stream-step";

export interface CleanOptions {
  /** `sanitize.enabled`: if false, only `NO_REPLY` is handled. */
  readonly isSanitizing: boolean;
  /** `silent_replies.max_other_chars`. */
  readonly maxOtherChars: number;
}

/**
 * A model whose replies are cleaned (S4 §3) and whose silent replies are empty and marked (D-40). Its streamed text
 * adds up to the reply's content, except for a silent reply that showed text before its token. A call without `onText`
 * is internal, such as a summary, and may return NO_REPLY to its caller.
 */
export function cleanReplies(model: ModelPort, { isSanitizing, maxOtherChars }: CleanOptions): ModelPort {
  const isSilent = (text: string) => isSilentText(text, maxOtherChars);
  const newStream = () => streamOf({ isSanitizing, maxOtherChars });
  return {
    ...model,
    async call(request, options) {
      const { onText } = options;
      if (!onText) {
        const reply = await model.call(request, options);
        return isSanitizing ? { ...reply, content: sanitizeText(reply.content) } : reply;
      }
      // Created with the first text, because most replies that call a tool have none.
      const shown: { stream: StreamStep | null } = { stream: null };
      const show = (text: string) => {
        if (text !== "") onText(text);
      };
      const reply = await model.call(request, {
        ...options,
        onText(delta) {
          shown.stream ??= newStream();
          show(shown.stream.push(delta));
        },
        onToolInput(toolCallId, name) {
          if (shown.stream) show(shown.stream.end());
          shown.stream = null;
          options.onToolInput?.(toolCallId, name);
        },
        onTakeBack(reasoning) {
          shown.stream = null;
          options.onTakeBack?.(reasoning);
        },
        onRetry(retry) {
          shown.stream = null;
          options.onRetry?.(retry);
        },
      });
      if (reply.content === "" && !shown.stream) return reply;
      const cleaned = cleanReply(reply, { isSanitizing, isSilent, stream: newStream() });
      if (shown.stream && !cleaned.silent && !isCallInText(cleaned)) show(shown.stream.end());
      return cleaned;
    },
  };
}

/** The silent token is removed before the final trim, because white space may precede it. */
function streamOf({ isSanitizing, maxOtherChars }: CleanOptions): StreamStep {
  const silent = silentReplyStep(maxOtherChars);
  return isSanitizing ? chainSteps([...sanitizeSteps(), silent, trimStep()]) : silent;
}

interface ReplyCleaner {
  readonly isSanitizing: boolean;
  readonly isSilent: (text: string) => boolean;
  readonly stream: StreamStep;
}

/** Whether the text is nothing but a call: it stays as the model wrote it, and the run says what it is. */
function isCallInText({ textCalls }: ModelReply): boolean {
  return textCalls !== undefined && textCalls.isBeside !== true;
}

function cleanReply(reply: ModelReply, { isSanitizing, isSilent, stream }: ReplyCleaner): ModelReply {
  if (isCallInText(reply)) return { ...reply, content: reply.content.trim() };
  const isLast = reply.toolCalls.length === 0;
  const text = isSanitizing ? sanitizeText(reply.content) : reply.content;
  if (isLast && isSilent(text)) return { ...reply, content: "", silent: true };
  return { ...reply, content: applyStep(stream, reply.content) };
}
