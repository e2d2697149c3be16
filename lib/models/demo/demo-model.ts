import type { ModelCallOptions, ModelPort, ModelRequest } from "@/lib/agent/model";
import { sleep } from "@/lib/models/sleep";
import type { ToolCall } from "@/lib/schema/messages/message";
import { exactTokens } from "@/lib/schema/messages/token-estimate";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { Usage } from "@/lib/schema/runs/usage";
import { decide } from "./brain";
import type { DemoRound } from "./turn";

const DEMO_NAME = "demo:demo";
/** Fast enough not to bore, slow enough for the streaming to be visible. */
const PACE_MS = 12;

/**
 * The rule-based model that answers if no provider is configured. It calls only tools that the request offers, streams
 * like a model, and never claims to be one. `paceMs` is the pause between pieces.
 */
export function demoModel(options: { readonly paceMs?: number } = {}): ModelPort {
  const paceMs = options.paceMs ?? PACE_MS;
  return {
    name: DEMO_NAME,
    async call(request, callOptions) {
      callOptions.signal.throwIfAborted();
      const round = decide(request);
      const toolCalls = toToolCalls(request, round);
      const timeToFirstTokenMs = await stream(round, toolCalls, { ...callOptions, paceMs });
      return toReply(request, round, { toolCalls, timeToFirstTokenMs });
    },
  };
}

function toToolCalls(request: ModelRequest, round: DemoRound): ToolCall[] {
  const made = request.messages.reduce(
    (count, message) => (message.role === "assistant" ? count + message.toolCalls.length : count),
    0,
  );
  return round.calls.map(({ tool, args }, index) => ({
    id: `call_demo_${made + index + 1}`,
    name: tool,
    args,
    rawArgs: JSON.stringify(args),
  }));
}

/** Returns the time until the first piece, in ms. */
async function stream(
  round: DemoRound,
  toolCalls: readonly ToolCall[],
  { signal, paceMs, ...watcher }: ModelCallOptions & { readonly paceMs: number },
): Promise<number> {
  const startedAt = performance.now();
  let firstAt: number | undefined;
  const pause = async () => {
    signal.throwIfAborted();
    if (paceMs > 0) await sleep(paceMs, signal);
    firstAt ??= performance.now();
  };
  for (const piece of pieces(round.thought)) {
    await pause();
    watcher.onReasoning?.(piece);
  }
  for (const piece of pieces(round.say)) {
    await pause();
    watcher.onText?.(piece);
  }
  for (const call of toolCalls) {
    await pause();
    watcher.onToolInput?.(call.id, call.name);
    for (const piece of inputPieces(call.rawArgs)) {
      await pause();
      watcher.onToolInputDelta?.(call.id, piece);
    }
  }
  await pause();
  return (firstAt ?? startedAt) - startedAt;
}

/** Splits text into pieces of two words, keeping white space. */
function pieces(text: string): string[] {
  return text.match(/\s*\S+(?:\s+\S+)?|\s+$/g) ?? [];
}

const INPUT_PIECE_CHARS = 24;
/** Keeps the time to write a whole page below a second. */
const MOST_INPUT_PIECES = 40;

/** Splits the arguments into pieces of a few characters, without cutting a character. */
function inputPieces(rawArgs: string): string[] {
  const size = Math.max(INPUT_PIECE_CHARS, Math.ceil(rawArgs.length / MOST_INPUT_PIECES));
  return rawArgs.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
}

function toReply(
  request: ModelRequest,
  round: DemoRound,
  { toolCalls, timeToFirstTokenMs }: { readonly toolCalls: ToolCall[]; readonly timeToFirstTokenMs: number },
): ModelReply {
  return {
    content: round.say,
    reasoning: round.thought === "" ? [] : [{ text: round.thought }],
    toolCalls,
    finishReason: toolCalls.length > 0 ? "tool-calls" : "stop",
    usage: estimateUsage(request, round, toolCalls),
    model: DEMO_NAME,
    timeToFirstTokenMs,
  };
}

function estimateUsage(request: ModelRequest, round: DemoRound, toolCalls: readonly ToolCall[]): Usage {
  const read = [
    ...request.system.map(({ text }) => text),
    ...request.tools.flatMap(({ name, description }) => [name, description]),
    ...request.messages.map(({ content }) => content),
  ];
  const written = [round.say, round.thought, ...toolCalls.map(({ rawArgs }) => rawArgs)];
  return {
    inputTokens: tokensOfAll(read),
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    outputTokens: tokensOfAll(written),
    reasoningTokens: tokensOfAll([round.thought]),
    isUsageEstimated: true,
  };
}

function tokensOfAll(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((tokens, text) => tokens + exactTokens(text), 0));
}
