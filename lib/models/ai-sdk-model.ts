import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelCallOptions, ModelPort, ModelRequest, SentChanges } from "@/lib/agent/model";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { CallLimits, type CallTimeouts } from "./call-limits";
import { hasThoughts, type Rewriting, rewritingOf } from "./dialects/rewriting";
import {
  describeBrokenStream,
  describeFailure,
  describeTimeout,
  type ProviderIdentity,
} from "./failures/provider-error";
import { type ReplyLimits, ReplyMeter } from "./reply-limits";
import { untilAborted } from "./until-aborted";
import { ownArguments, ownNames } from "./wire/provider-schema";
import { ReplyBuilder } from "./wire/reply-builder";
import { BLIND, countUnseen, hasImages, type ImageReader, loadImages, type ShownImages } from "./wire/shown-images";
import { type PromptDialect, toProviderPrompt, toProviderTools } from "./wire/to-provider-prompt";

export interface AiSdkModelOptions {
  readonly identity: ProviderIdentity;
  readonly dialect: PromptDialect;
  readonly timeouts: CallTimeouts;
  readonly replyLimits: ReplyLimits;
  readonly providerOptions?: SharedV4ProviderOptions;
  /** Absent: the model sees no images. */
  readonly readImage?: ImageReader;
  /** False: the provider can't stream (D-78), so its whole reply becomes a stream with one piece. Default true. */
  readonly streaming?: boolean;
  /** The model itself reads a whole reply as a stream. */
  readonly readsWhole?: boolean;
}

/** One attempt at one AI SDK model, without retries. Throws ProviderFailure, or the caller's abort reason. */
export function aiSdkModel(model: LanguageModelV4, options: AiSdkModelOptions): ModelPort {
  const name = `${options.identity.provider}:${options.identity.model}`;
  const attempt = options.streaming === false ? unstreamed : callOnce;
  return { name, call: (request, callOptions) => attempt(model, request, { ...options, ...callOptions, name }) };
}

/**
 * Without streaming, nothing shows that the provider is working until the whole reply arrives. The SDK's large main
 * package is loaded on the first such call, because few installations need it.
 */
async function unstreamed(model: LanguageModelV4, request: ModelRequest, options: AttemptOptions): Promise<ModelReply> {
  const { model_ms } = options.timeouts;
  const whole = options.readsWhole ? model : await asStream(model);
  return callOnce(whole, request, { ...options, timeouts: { model_ms, idle_ms: model_ms } });
}

async function asStream(model: LanguageModelV4): Promise<LanguageModelV4> {
  const { simulateStreamingMiddleware, wrapLanguageModel } = await import("ai");
  return wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() });
}

type AttemptOptions = AiSdkModelOptions & ModelCallOptions & { readonly name: string };

async function callOnce(model: LanguageModelV4, request: ModelRequest, options: AttemptOptions): Promise<ModelReply> {
  options.signal.throwIfAborted();
  const limits = new CallLimits(options.signal, options.timeouts);
  try {
    return await streamReply(model, request, { ...options, limits });
  } catch (error) {
    options.signal.throwIfAborted();
    if (limits.exceeded) throw describeTimeout(options.identity, limits.exceeded, options.timeouts);
    throw describeFailure(options.identity, error, request);
  } finally {
    limits.stop();
  }
}

async function streamReply(
  model: LanguageModelV4,
  request: ModelRequest,
  options: AttemptOptions & { readonly limits: CallLimits },
): Promise<ModelReply> {
  const { limits } = options;
  const builder = new ReplyBuilder(options, options.dialect.writer);
  const meter = new ReplyMeter(options.replyLimits);
  const images = await imagesFor(request, options);
  const prompt = toProviderPrompt(request, options.dialect, images);
  const starting = startStream(model, request, { ...options, prompt });
  const { stream, response, request: sent } = await untilAborted(starting, limits.signal);
  options.onSent?.(changesOf(request, prompt, { images, rewriting: rewritingOf(sent?.body) }));
  const contentType = options.streaming === false ? undefined : response?.headers?.["content-type"];
  let firstTokenMs: number | null = null;
  await readParts(stream, limits, (part) => {
    if (part.type === "error") throw isStream(contentType) ? part.error : brokenStream(options, contentType);
    meter.add(part);
    builder.add(part);
    if (firstTokenMs === null && builder.hasStreamed) firstTokenMs = limits.elapsedMs();
  });
  const { finishReason } = builder;
  if (finishReason === undefined || finishReason === "interrupted" || finishReason === "error") {
    throw brokenStream(options, contentType);
  }
  return withOwnNames(builder.build(options.name, firstTokenMs), request, options.dialect);
}

/** Calls with the arguments' own names, where a provider was sent others. */
function withOwnNames(reply: ModelReply, { tools }: ModelRequest, { schemas }: PromptDialect): ModelReply {
  const named = (call: ToolCall): ToolCall => {
    const tool = tools.find(({ name }) => name === call.name);
    const names = tool ? ownNames(tool.parameters, schemas) : null;
    if (!tool || !names?.size) return call;
    // What is not JSON yet is read later.
    if (call.argsError !== undefined) return { ...call, argumentNames: Object.fromEntries(names) };
    return { ...call, args: ownArguments(call.args, tool.parameters, schemas) };
  };
  const { textCalls } = reply;
  return {
    ...reply,
    toolCalls: reply.toolCalls.map(named),
    ...(textCalls ? { textCalls: { ...textCalls, calls: textCalls.calls.map(named) } } : {}),
  };
}

function brokenStream({ identity }: AttemptOptions, contentType: string | undefined): Error {
  return describeBrokenStream(identity, { notStream: isStream(contentType) ? undefined : contentType });
}

function isStream(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.includes("event-stream");
}

async function imagesFor({ messages }: ModelRequest, { readImage }: AttemptOptions): Promise<ShownImages> {
  if (!hasImages(messages) || !readImage) return BLIND;
  return loadImages(messages, readImage);
}

interface Written {
  readonly images: ShownImages;
  readonly rewriting: Rewriting | null;
}

function changesOf({ messages }: ModelRequest, prompt: LanguageModelV4Prompt, written: Written): SentChanges {
  const { images, rewriting } = written;
  const thought = messages.filter((message) => message.role === "assistant" && message.reasoning?.length).length;
  const sent = prompt.filter(hasThoughts).length;
  return {
    left_out: {
      older_pictures: countUnseen(messages, images),
      thoughts: thought - sent + (rewriting?.lostThoughts ?? 0),
    },
    rewritten: rewriting?.rewritten ?? {},
  };
}

interface StartOptions extends AttemptOptions {
  readonly limits: CallLimits;
  readonly prompt: LanguageModelV4Prompt;
}

function startStream(model: LanguageModelV4, request: ModelRequest, options: StartOptions) {
  const { dialect, prompt } = options;
  return model.doStream({
    prompt,
    tools: toProviderTools(request, dialect),
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature ?? undefined,
    reasoning: request.effort,
    providerOptions: options.providerOptions,
    abortSignal: options.limits.signal,
  });
}

/** An abort cancels the reader, which ends a pending read at once even if the provider ignores the signal. */
async function readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  limits: CallLimits,
  take: (part: LanguageModelV4StreamPart) => void,
): Promise<void> {
  const reader = stream.getReader();
  const turns = createTurns();
  const cancel = () => void reader.cancel().catch(() => {});
  limits.signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (turns.isDue()) await turns.next();
      if (limits.signal.aborted) throw limits.signal.reason;
      if (done) return;
      limits.touch();
      take(value);
    }
  } finally {
    limits.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

const TURN_MS = 8;

/**
 * Yields between parts that have already arrived; otherwise reading them would block all other work, including the
 * timers of this run's own limits, until the reply ends.
 */
function createTurns() {
  let endsAt = performance.now() + TURN_MS;
  return {
    isDue: () => performance.now() >= endsAt,
    async next() {
      await new Promise<void>((resolve) => setImmediate(resolve));
      endsAt = performance.now() + TURN_MS;
    },
  };
}
