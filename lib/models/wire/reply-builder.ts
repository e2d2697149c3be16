import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { z } from "zod";
import type { ModelCallOptions } from "@/lib/agent/model";
import { KEPT, TAKE_BACK } from "@/lib/models/dialects/reply-reader";
import type { ProviderMetadata, Reasoning, ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { Usage } from "@/lib/schema/runs/usage";
import { signed } from "./to-provider-prompt";
import { tokenCount } from "./token-count";
import { toolCallFromText } from "./tool-call-arguments";

type Watcher = Pick<ModelCallOptions, "onText" | "onReasoning" | "onTakeBack" | "onToolInput" | "onToolInputDelta">;
type Part<Type extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { type: Type }>;

interface ReasoningBlock {
  readonly id: string;
  text: string;
  providerMetadata?: ProviderMetadata;
}

/** Builds one reply from its streamed parts and notifies the watcher as they arrive. Unknown parts are ignored. */
export class ReplyBuilder {
  #content = "";
  readonly #reasoning: ReasoningBlock[] = [];
  readonly #calls: Part<"tool-call">[] = [];
  readonly #announced = new Set<string>();
  #finish: Part<"finish"> | undefined;
  /** True once anything visible to a person has arrived. */
  hasStreamed = false;

  private readonly watcher: Watcher;
  private readonly writer: string | null;

  constructor(watcher: Watcher, writer: string | null = null) {
    this.watcher = watcher;
    this.writer = writer;
  }

  /** Undefined until the provider sends a finish reason: a stream that ends before that was cut off. */
  get finishReason(): LanguageModelV4FinishReason["unified"] | undefined {
    return this.#finish?.finishReason.unified;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.#addText(part.delta, part.providerMetadata?.[KEPT]?.isHeld === true);
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#addReasoning(part);
        break;
      case "tool-input-start":
        this.#announce(part.id, part.toolName);
        break;
      case "tool-input-delta":
        if (part.delta !== "") this.watcher.onToolInputDelta?.(part.id, part.delta);
        break;
      case "tool-call":
        this.#addCall(part);
        break;
      case "raw":
        if (part === TAKE_BACK) this.#takeBack();
        break;
      case "finish":
        this.#finish = part;
    }
  }

  build(model: string, timeToFirstTokenMs: number | null): ModelReply {
    const cut = this.finishReason === "length";
    const toolCalls = this.#calls.map((part) => toToolCall(part, { cut, writer: this.writer }));
    return {
      content: this.#content,
      reasoning: this.#reasoning.filter(isWorthKeeping).map((block) => this.#kept(block)),
      toolCalls,
      finishReason: toFinishReason(this.finishReason, toolCalls.length > 0),
      usage: toUsage(this.#finish?.usage),
      model,
      timeToFirstTokenMs,
      ...remarksOf(this.#finish),
    };
  }

  #kept({ text, providerMetadata }: ReasoningBlock): Reasoning {
    const metadata = signed(providerMetadata, this.writer);
    return { text, ...(metadata ? { providerMetadata: metadata } : {}) };
  }

  #addText(delta: string, isHeld: boolean): void {
    if (delta === "") return;
    this.#content += delta;
    if (isHeld) return;
    this.hasStreamed = true;
    this.watcher.onText?.(delta);
  }

  /** What was taken for the answer becomes reasoning. */
  #takeBack(): void {
    this.#reasoning.push({ id: "taken back", text: this.#content });
    this.#content = "";
    this.watcher.onTakeBack?.(this.#reasoning.map(({ text }) => text).join("\n\n"));
  }

  #addReasoning(part: Part<"reasoning-start" | "reasoning-delta" | "reasoning-end">): void {
    const block = this.#reasoningBlock(part.id);
    if (part.providerMetadata) block.providerMetadata = mergeMetadata(block.providerMetadata, part.providerMetadata);
    if (part.type !== "reasoning-delta" || part.delta === "") return;
    this.hasStreamed = true;
    block.text += part.delta;
    this.watcher.onReasoning?.(part.delta);
  }

  #reasoningBlock(id: string): ReasoningBlock {
    const known = this.#reasoning.findLast((block) => block.id === id);
    if (known) return known;
    const block: ReasoningBlock = { id, text: "" };
    this.#reasoning.push(block);
    return block;
  }

  #announce(id: string, name: string): void {
    this.hasStreamed = true;
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    this.watcher.onToolInput?.(id, name);
  }

  #addCall(part: Part<"tool-call">): void {
    if (part.providerExecuted) return;
    this.#announce(part.toolCallId, part.toolName);
    this.#calls.push(part);
  }
}

/** What our own reader says about a whole reply. */
const Remarks = z.object({
  unreadable: z.number().default(0),
  textCalls: z
    .array(z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) }))
    .optional(),
  mayRun: z.boolean().default(false),
  isBeside: z.boolean().default(false),
});

function remarksOf(finish: Part<"finish"> | undefined): Pick<ModelReply, "unreadableEvents" | "textCalls"> {
  const { unreadable, textCalls, mayRun, isBeside } = Remarks.parse(finish?.providerMetadata?.[KEPT] ?? {});
  const calls = textCalls?.map((call) => ({ ...call, rawArgs: JSON.stringify(call.args) }));
  return {
    ...(unreadable > 0 ? { unreadableEvents: unreadable } : {}),
    ...(calls ? { textCalls: { calls, mayRun, ...(isBeside ? { isBeside } : {}) } } : {}),
  };
}

function toToolCall(
  part: Part<"tool-call">,
  { cut, writer }: { readonly cut: boolean; readonly writer: string | null },
): ToolCall {
  const call = toolCallFromText(
    { id: part.toolCallId, name: part.toolName, rawArgs: part.input },
    signed(part.providerMetadata, writer),
  );
  if (!cut || call.argsError === undefined) return call;
  return { ...call, argsError: "the reply reached max_tokens before the arguments were complete; write less at once" };
}

function mergeMetadata(known: ProviderMetadata | undefined, added: ProviderMetadata): ProviderMetadata {
  if (!known) return added;
  const merged = { ...known };
  for (const [provider, values] of Object.entries(added)) merged[provider] = { ...merged[provider], ...values };
  return merged;
}

function isWorthKeeping(block: Reasoning): boolean {
  return block.text !== "" || block.providerMetadata !== undefined;
}

function toFinishReason(
  unified: LanguageModelV4FinishReason["unified"] | undefined,
  hasCalls: boolean,
): ModelReply["finishReason"] {
  if (unified === "stop" && hasCalls) return "tool-calls";
  return unified === undefined || unified === "interrupted" ? "other" : unified;
}

function toUsage(usage: LanguageModelV4Usage | undefined): Usage {
  const { inputTokens, outputTokens } = usage ?? {};
  const input = tokenCount(inputTokens?.total);
  const output = tokenCount(outputTokens?.total);
  const part = (tokens: number | undefined, whole = 0) => Math.min(tokenCount(tokens) ?? 0, whole);
  const cachedReadTokens = part(inputTokens?.cacheRead, input);
  return {
    inputTokens: input ?? 0,
    cachedReadTokens,
    cachedWriteTokens: part(inputTokens?.cacheWrite, (input ?? 0) - cachedReadTokens),
    outputTokens: output ?? 0,
    reasoningTokens: part(outputTokens?.reasoning, output),
    ...(input === undefined || output === undefined ? { isUsagePartial: true } : {}),
  };
}
