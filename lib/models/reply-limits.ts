import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { ProviderFailure } from "./failures/provider-failure";

/**
 * The size limits of one reply (`reply_limits` of an agent), because models and whatever replaces them are untrusted.
 */
export type ReplyLimits = AgentConfig["reply_limits"];

/**
 * The limit for one server-sent event, or a reply that is not streamed: the most that an agent may allow, plus JSON
 * overhead. The parser buffers an unfinished event and scans it again for each piece.
 */
const MAX_EVENT_BYTES = 40_000_000;

/** The error of a reply that exceeds the agent's limits. Neither retried nor sent to a fallback. */
export class ReplyLimitReached extends ProviderFailure {
  static override readonly kind = "ReplyLimitReached";
  constructor(message: string) {
    super("model_failed", message, { retryable: false });
  }
}

/** Measures one reply while it streams. `add` throws ReplyLimitReached as soon as it is too large. */
export class ReplyMeter {
  #textBytes = 0;
  #argumentBytes = 0;
  #finishedCalls = 0;
  /** Bytes of streamed arguments, by the provider's id of the call. */
  readonly #streamedCalls = new Map<string, number>();

  private readonly limits: ReplyLimits;

  constructor(limits: ReplyLimits) {
    this.limits = limits;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#textBytes += Buffer.byteLength(part.delta);
        break;
      case "tool-input-start":
        this.#streamedCalls.set(part.id, this.#streamedCalls.get(part.id) ?? 0);
        break;
      case "tool-input-delta":
        this.#addArguments(part.id, Buffer.byteLength(part.delta));
        break;
      case "tool-call": {
        this.#finishedCalls += 1;
        const counted = this.#streamedCalls.get(part.toolCallId) ?? 0;
        this.#addArguments(part.toolCallId, Math.max(0, Buffer.byteLength(part.input) - counted));
        break;
      }
      default:
        return;
    }
    this.#check();
  }

  #addArguments(id: string, bytes: number): void {
    this.#argumentBytes += bytes;
    this.#streamedCalls.set(id, (this.#streamedCalls.get(id) ?? 0) + bytes);
  }

  #check(): void {
    const { text_bytes: text, arguments_bytes: args, calls } = this.limits;
    if (this.#textBytes > text) throw tooMuch(`${count(text)} bytes of text`, "text_bytes");
    if (this.#argumentBytes > args) throw tooMuch(`${count(args)} bytes of arguments`, "arguments_bytes");
    const callCount = Math.max(this.#finishedCalls, this.#streamedCalls.size);
    if (callCount > calls) throw tooMuch(`${count(calls)} tool calls`, "calls");
  }
}

function tooMuch(what: string, limit: keyof ReplyLimits): ReplyLimitReached {
  return new ReplyLimitReached(
    `The model's reply has more than ${what}, so it was stopped. If it is meant to, raise reply_limits.${limit} of the agent.`,
  );
}

const LINE_FEED = 0x0a;

/**
 * Counts the bytes of one unfinished line, or of a whole response that is not a stream. `add` throws ReplyLimitReached.
 */
export class EventMeter {
  #openBytes = 0;

  private readonly isStream: boolean;

  constructor(isStream: boolean) {
    this.isStream = isStream;
  }

  add(bytes: Uint8Array): void {
    const lineEnd = this.isStream ? bytes.lastIndexOf(LINE_FEED) : -1;
    this.#openBytes = lineEnd < 0 ? this.#openBytes + bytes.byteLength : bytes.byteLength - lineEnd - 1;
    if (this.#openBytes <= MAX_EVENT_BYTES) return;
    throw new ReplyLimitReached(
      `The provider sent more than ${count(MAX_EVENT_BYTES)} bytes in one piece, so it was stopped. Check that its address is that of a model.`,
    );
  }
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
