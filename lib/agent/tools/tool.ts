import { z } from "zod";
import type { ExtensionSource } from "@/lib/agent/hooks/hook";
import type { RunContext } from "@/lib/agent/run-context";
import type { ImageRef, ToolCall } from "@/lib/schema/messages/message";
import { oneLine, plainGist } from "@/lib/schema/tools/plain-gist";
import type { CallSummary, Refusal, ToolAnnotations, ToolKind, ToolResult, ToolSchema } from "@/lib/schema/tools/tool";

/** The result of `execute` with more than text; see ToolResult for the fields. */
export interface ToolOutput {
  readonly output: string;
  readonly display?: unknown;
  readonly forUser?: string;
  /** How many characters the tool itself cut from its text. */
  readonly truncatedChars?: number;
  readonly images?: ImageRef[];
}

/** The result of `execute` if a person refused the action and nothing was done; the model reads `error`. */
export interface ToolRefusal {
  readonly refused: Refusal;
  readonly error: string;
}

/** The result of `execute` if the call waits for a person or a child run; the same call is executed again later. */
export interface ToolPending {
  readonly pending: PendingReason;
}

/** The reason a call waits. With only `child`, people see the run as running. */
export type PendingReason = "approval" | "question" | "budget" | "connect" | "child";

/** The context of a running call. `signal` aborts on cancel and when the tool times out. */
export interface ToolExecution {
  readonly call: ToolCall;
  readonly signal: AbortSignal;
  readonly context: RunContext;
}

/** Facts for displaying a tool's calls and for writing rules about them. Every field is optional. */
export interface ToolTraits {
  /** Default `other`. */
  readonly kind?: ToolKind;
  /** The argument that names a workspace file or folder; rules match it as a path. */
  readonly pathArgument?: string;
  /** True if its results show the content or the names of files: rules about reading a file then hold for it too. */
  readonly readsFiles?: true;
  /**
   * How the permission modes treat a call that no rule decides (D-56). `never`: nobody is asked in any mode. `edit`:
   * the mode `accept_edits` allows it. `ask`: a person is asked even if permissions are off, unless a rule allows the
   * call.
   */
  readonly approval?: "never" | "edit" | "ask";
  /** The same for a single call, if it depends on the arguments; undefined falls back to `approval`. */
  approvalOf?(args: Readonly<Record<string, unknown>>): ToolTraits["approval"];
  /**
   * The reason this call asks in any mode, even if permissions are off, unless a grant or a rule allows it: "others
   * read it there". Undefined if the call does not ask by itself.
   */
  asksBecause?(args: Readonly<Record<string, unknown>>): string | undefined;
  /** The host of the outside service that reads its arguments, wherever a call leads. */
  readonly sendsTo?: string;
  /** Where its calls run, as a phrase for people, if that is neither the workspace nor this server. */
  readonly place?: string;
  /** The approval prompt before a call runs, such as "Run this command?". */
  readonly question?: string;
  /**
   * A one-line summary of a call. The arguments are the model's and not validated. Default: the most telling argument.
   */
  gist?(args: Readonly<Record<string, unknown>>): string;
}

/**
 * A tool the model can call. `execute` gets arguments that `parse` has accepted; the model reads its text. Throw to
 * report failure: the message becomes the error result, so it must say what to do next.
 */
export interface Tool extends ToolSchema, ToolTraits {
  readonly annotations: ToolAnnotations;
  /** Other names by which a model may call it; a registered tool of that name wins. */
  readonly aliases?: readonly string[];
  /** Other names for arguments: alias → name. If both are given, the name wins. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** False for tools whose results are never cut (S0 eviction exemptions). Default true. */
  readonly evictable?: boolean;
  /** True for tools with their own time limit: `tool_settings.timeout_ms` then does not apply. */
  readonly ownTimeLimit?: boolean;
  /** True for tools that pick up what an earlier execution of the same call started; they run again after a crash. */
  readonly resumable?: boolean;
  /** True for tools whose successful call completes the run, because nothing is left to say. */
  readonly endsRun?: boolean;
  /** The file and version of an extension's tool; absent for built-in tools. */
  readonly extension?: ExtensionSource;
  parse(args: Record<string, unknown>): { ok: true; args: unknown } | { ok: false; message: string };
  execute(args: unknown, execution: ToolExecution): Promise<string | ToolOutput | ToolPending | ToolRefusal>;
}

interface ToolDefinition<Input extends z.ZodType> extends ToolTraits {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations?: ToolAnnotations;
  readonly aliases?: readonly string[];
  readonly argumentAliases?: Readonly<Record<string, string>>;
  readonly evictable?: boolean;
  readonly ownTimeLimit?: boolean;
  readonly resumable?: boolean;
  readonly endsRun?: boolean;
  execute(args: z.output<Input>, execution: ToolExecution): Promise<string | ToolOutput | ToolPending | ToolRefusal>;
}

/**
 * Creates a tool from a zod object: its JSON Schema, its argument check, and a typed `execute`. Unknown keys are
 * ignored.
 */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): Tool {
  const { input, execute, annotations = {}, ...rest } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: "input" });
  return {
    ...rest,
    annotations,
    parameters,
    parse(args) {
      const parsed = input.safeParse(args);
      if (parsed.success) return { ok: true, args: parsed.data };
      return { ok: false, message: parsed.error.issues.map(describeIssue).join("; ") };
    },
    execute: (args, execution) => execute(args as z.output<Input>, execution),
  };
}

/** The facts about a call for its events; `tool` is undefined if nobody offers it. */
export function describeCall(tool: ToolTraits | undefined, args: Readonly<Record<string, unknown>>): CallSummary {
  const { kind = "other", question } = tool ?? {};
  const gist = tool?.gist ? oneLine(tool.gist(args)) : plainGist(args);
  return { kind, gist, ...(question === undefined ? {} : { question }) };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message;
}

/**
 * How a tool call ends: with a result, or left pending for a person or a child run, which ends the segment
 * (docs/design/runs.md). A value, never a throw.
 */
export type ToolOutcome =
  | { readonly kind: "result"; readonly result: ToolResult }
  | { readonly kind: "pending"; readonly toolCallId: string; readonly reason: PendingReason };
