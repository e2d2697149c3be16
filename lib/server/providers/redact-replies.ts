import type { ModelCallOptions, ModelPort, ModelRetry } from "@/lib/agent/model";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { RedactedStream } from "@/lib/server/platform/secrets/redacted-stream";
import type { SecretFinder } from "@/lib/server/platform/secrets/secret-finder";

/**
 * A model whose texts, thoughts and failures contain no known secret. The arguments of its calls stay as they are: they
 * are the user's work, and traces mask them.
 */
export function redactReplies(model: ModelPort, finder: () => SecretFinder): ModelPort {
  return {
    ...model,
    async call(request, options) {
      const known = finder();
      const streams = new RedactedStreams(known, options);
      try {
        const reply = await model.call(request, streams.options());
        streams.end();
        return redactReply(reply, known.redact);
      } catch (error) {
        redactError(error, known.redact);
        throw error;
      }
    },
  };
}

function redactReply(reply: ModelReply, redact: (text: string) => string): ModelReply {
  const content = redact(reply.content);
  const reasoning = reply.reasoning.map((part) => {
    const text = redact(part.text);
    return text === part.text ? part : { ...part, text };
  });
  return { ...reply, content, reasoning };
}

/** In place, because callers tell failures apart by their class and fields. */
function redactError(error: unknown, redact: (text: string) => string): void {
  const seen = new Set<unknown>();
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause) {
    seen.add(one);
    replaceText(one, "message", redact);
    const refusal: unknown = Reflect.get(one, "refusal");
    if (typeof refusal === "object" && refusal !== null) replaceText(refusal, "words", redact);
    replaceText(one, "stack", redact);
  }
}

function replaceText(error: object, field: string, redact: (text: string) => string): void {
  const text: unknown = Reflect.get(error, field);
  if (typeof text !== "string") return;
  const redacted = redact(text);
  if (redacted !== text) Reflect.defineProperty(error, field, { value: redacted, configurable: true, writable: true });
}

/** The callbacks of one call, each text through a stream of its own. */
class RedactedStreams {
  private readonly known: SecretFinder;
  private readonly inner: ModelCallOptions;
  private text: RedactedStream;
  private reasoning: RedactedStream;
  private last: "text" | "reasoning" | null = null;

  constructor(known: SecretFinder, inner: ModelCallOptions) {
    this.known = known;
    this.inner = inner;
    this.text = known.stream();
    this.reasoning = known.stream();
  }

  options(): ModelCallOptions {
    const { inner, known } = this;
    return {
      ...inner,
      ...(inner.onText && { onText: (delta) => this.pushText(delta) }),
      ...(inner.onReasoning && { onReasoning: (delta) => this.pushReasoning(delta) }),
      onTakeBack: (reasoning) => {
        this.restart();
        inner.onTakeBack?.(known.redact(reasoning));
      },
      onToolInput: (toolCallId, name) => {
        this.end();
        inner.onToolInput?.(toolCallId, name);
      },
      onRetry: (retry) => {
        this.restart();
        inner.onRetry?.(redactRetry(retry, known.redact));
      },
    };
  }

  /** What is held back of the other comes first: it was said before. */
  private pushText(delta: string): void {
    if (this.last === "reasoning") this.end();
    this.last = "text";
    this.showText(this.text.push(delta));
  }

  private pushReasoning(delta: string): void {
    if (this.last === "text") this.end();
    this.last = "reasoning";
    this.showReasoning(this.reasoning.push(delta));
  }

  end(): void {
    const { text, reasoning } = this;
    this.restart();
    this.showReasoning(reasoning.end());
    this.showText(text.end());
  }

  /** Everything streamed so far is void. */
  private restart(): void {
    this.text = this.known.stream();
    this.reasoning = this.known.stream();
    this.last = null;
  }

  private showText(text: string): void {
    if (text !== "") this.inner.onText?.(text);
  }

  private showReasoning(text: string): void {
    if (text !== "") this.inner.onReasoning?.(text);
  }
}

function redactRetry(retry: ModelRetry, redact: (text: string) => string): ModelRetry {
  return { ...retry, error: { ...retry.error, message: redact(retry.error.message) } };
}
