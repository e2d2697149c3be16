import type { ModelRequest } from "@/lib/agent/model";
import type { ToolCall } from "@/lib/schema/messages/message";

/** A finished tool call as seen by the demo model. */
export interface DemoResult {
  readonly call: ToolCall;
  readonly text: string;
  readonly isError: boolean;
}

/** The demo model's view of a turn: the user's last message, and what has been done about it. */
export interface DemoTurn {
  readonly text: string;
  /** The results of the calls, one entry per reply of this turn. */
  readonly rounds: readonly (readonly DemoResult[])[];
  readonly offered: ReadonlySet<string>;
  /** The file last written, changed or read before this turn: what "run it" refers to. */
  readonly lastFile: string | undefined;
}

interface DemoCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface DemoRound {
  /** Shown as reasoning. */
  readonly thought: string;
  readonly say: string;
  readonly calls: readonly DemoCall[];
}

/** A request turned into steps. A round sees the results of the script's earlier rounds. */
export interface DemoScript {
  readonly needs: readonly string[];
  readonly rounds: readonly ((done: DemoTurn["rounds"]) => DemoRound)[];
  /** Rounds that are allowed to fail (a file may not exist yet). */
  readonly mayFail?: ReadonlySet<number>;
  conclude(done: DemoTurn["rounds"]): string;
}

/** The message that Continue sends, and similar wording by people. */
const GO_ON = /^(?:please )?(?:continue|go on|carry on|keep going)(?: from where you stopped)?[.!]?$/i;
const CANCELLED = /\bcancell?ed\b/i;

export function readTurn(request: ModelRequest): DemoTurn {
  const start = request.messages.findLastIndex(
    (message) => message.role === "user" && !GO_ON.test(message.content.trim()),
  );
  const rounds = readRounds(request.messages.slice(start + 1));
  // A cancelled step is repeated when the run continues.
  while (rounds.at(-1)?.some((result) => result.isError && CANCELLED.test(result.text))) rounds.pop();
  return {
    text: request.messages[start]?.content ?? "",
    rounds,
    offered: new Set(request.tools.map((tool) => tool.name)),
    lastFile: lastFileOf(request.messages.slice(0, Math.max(0, start))),
  };
}

function lastFileOf(messages: ModelRequest["messages"]): string | undefined {
  const paths = messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.toolCalls.filter((call) => call.name.endsWith("_file")).map((call) => call.args.path);
  });
  const last = paths.at(-1);
  return typeof last === "string" ? last : undefined;
}

function readRounds(messages: ModelRequest["messages"]): DemoResult[][] {
  const rounds: DemoResult[][] = [];
  const calls = new Map<string, ToolCall>();
  for (const message of messages) {
    if (message.role === "assistant" && message.toolCalls.length > 0) {
      rounds.push([]);
      for (const call of message.toolCalls) calls.set(call.id, call);
    } else if (message.role === "tool") {
      const call = calls.get(message.toolCallId);
      if (call) rounds.at(-1)?.push({ call, text: message.content, isError: message.isError === true });
    }
  }
  return rounds;
}

/** A round with one call. */
export function callRound(
  round: { thought: string; say: string },
  tool: string,
  args: Record<string, unknown>,
): DemoRound {
  return { ...round, calls: [{ tool, args }] };
}

/** The result of a script's single-call round. */
export function resultOf(done: DemoTurn["rounds"], round: number): DemoResult | undefined {
  return done[round]?.[0];
}

/** A fenced code block that its content can't close, cut to a readable length for a chat. */
export function codeBlock(text: string, language = ""): string {
  const cut =
    text.length > 3_000 ? `${text.slice(0, 3_000).toWellFormed()}\n… (${text.length - 3_000} more characters)` : text;
  const longest = Math.max(2, ...(cut.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${cut.replace(/\n$/, "")}\n${fence}`;
}

/** Escapes a value for a markdown table cell. */
export function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** The JSON of a result, optionally followed by a note in parentheses; undefined if it was cut. */
export function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse((text ?? "").split("\n(")[0] ?? "");
  } catch {
    return undefined;
  }
}

export function languageOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1] ?? "";
}
