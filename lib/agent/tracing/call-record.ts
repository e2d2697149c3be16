import { canonicalArgs } from "@/lib/agent/interrupts";
import type { Tool } from "@/lib/agent/tools/tool";
import { describeCall } from "@/lib/agent/tools/tool";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";

/** A call as it begins, for the row by which many calls are searched and judged again. */
interface BegunCall {
  readonly toolCallId: string;
  readonly step: number;
  readonly tool: string;
  readonly kind: string;
  readonly gist: string;
  /** Canonical JSON; null if it is longer than a trace keeps. */
  readonly args: string | null;
  /** Canonical JSON of the arguments as a whole, however long, for their hash. */
  readonly wholeArgs: string;
  readonly annotations: ToolAnnotations;
  readonly aliases: readonly string[];
  readonly pathArgument: string | null;
  readonly coerced: readonly string[] | null;
}

/** What the permissions found, and what a person decided. */
export interface JudgedCall {
  readonly aliases: readonly string[];
  readonly workdir: string;
  /** JSON of JudgedSubject. */
  readonly subject: string | null;
  readonly runsIn: string | null;
  readonly hadNetwork: boolean;
  readonly mode: string;
  readonly verdict: string;
  readonly verdictBy: string;
  /** JSON of the rule that decided. */
  readonly rule: string | null;
  readonly grantId: string | null;
  readonly unknownAddress: string | null;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly decidedVia: string | null;
  readonly decisionReason: string | null;
  /** How many files that a command changed got no version. */
  readonly filesLeftOut: number;
}

export interface CallRecord extends BegunCall, Partial<Omit<JudgedCall, "aliases">> {}

export function begunCall(
  call: ToolCall,
  tool: Tool | undefined,
  { step, maxArgsChars }: { readonly step: number; readonly maxArgsChars: number },
): CallRecord {
  const { kind, gist } = describeCall(tool, call.args);
  const wholeArgs = canonicalArgs(call.args);
  return {
    toolCallId: call.id,
    step,
    tool: call.name,
    kind,
    gist,
    args: wholeArgs.length > maxArgsChars ? null : wholeArgs,
    wholeArgs,
    annotations: tool?.annotations ?? {},
    aliases: tool?.aliases ?? [],
    pathArgument: tool?.pathArgument ?? null,
    coerced: call.coerced ?? null,
  };
}
