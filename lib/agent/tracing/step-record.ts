import { preparedGeneration } from "@/lib/agent/hooks/generation-state";
import type { RunContext, TraceRecorder } from "@/lib/agent/run-context";
import { hasSameParts, hasSameTools, type SentRequest } from "./sent-request";

/** What a model call begins with besides its messages. Hashes name texts that the recorder keeps; null for none. */
export interface StepRecord {
  readonly step: number;
  /** Where the run's files are; null if it has none. */
  readonly workspaceId: string | null;
  /** Of the JSON array of [name, hash] of the system prompt's sections. */
  readonly promptHash: string;
  readonly toolsHash: string;
  /** Of the agent's `permissions` as JSON. */
  readonly rulesHash: string;
  /** The ids of the grants in force. */
  readonly grants: readonly string[];
  readonly todosHash: string | null;
  /** Of what replaces the older part of the run's own conversation. */
  readonly summaryHash: string | null;
  /** Of what `preGeneration` hooks changed. */
  readonly preparedHash: string | null;
}

/** Names the texts of one segment by what they are made of: most steps change one of them at most. */
type NamedText<Source> = (source: Source, write: (source: Source) => string) => string;

interface NamedTexts {
  readonly prompt: NamedText<SentRequest["system"]>;
  readonly tools: NamedText<SentRequest["tools"]>;
  readonly rules: NamedText<object>;
  readonly todos: NamedText<object>;
  readonly summary: NamedText<object>;
  readonly prepared: NamedText<object>;
}

const TEXTS = "tracing.step-texts";

/** Describes the step whose request is being sent. What did not change since the step before is not written again. */
export function stepRecord(
  sent: SentRequest,
  context: RunContext,
  { trace, workspaceId }: { readonly trace: TraceRecorder; readonly workspaceId: string | null },
): StepRecord {
  const texts = namedTexts(context, trace);
  const { todos, summary = null } = context.state;
  const prepared = preparedGeneration(context);
  return {
    step: context.step,
    workspaceId,
    promptHash: texts.prompt(sent.system, (parts) =>
      JSON.stringify(parts.map(({ name, text }) => [name, trace.keepText(text)])),
    ),
    toolsHash: texts.tools(sent.tools, JSON.stringify),
    rulesHash: texts.rules(context.config.permissions, JSON.stringify),
    grants: context.interrupts.grants.map(({ id }) => id),
    todosHash: todos.length === 0 ? null : texts.todos(todos, JSON.stringify),
    summaryHash: summary === null ? null : texts.summary(summary, JSON.stringify),
    preparedHash: prepared === null ? null : texts.prepared(prepared, JSON.stringify),
  };
}

function namedTexts({ values }: RunContext, trace: TraceRecorder): NamedTexts {
  const known = values.get(TEXTS) as NamedTexts | undefined;
  if (known) return known;
  const texts: NamedTexts = {
    prompt: namedText(trace, hasSameParts),
    tools: namedText(trace, hasSameTools),
    rules: namedText(trace, Object.is),
    todos: namedText(trace, Object.is),
    summary: namedText(trace, Object.is),
    prepared: namedText(trace, Object.is),
  };
  values.set(TEXTS, texts);
  return texts;
}

function namedText<Source>(trace: TraceRecorder, isSame: (one: Source, other: Source) => boolean): NamedText<Source> {
  let latest: { readonly source: Source; readonly hash: string } | null = null;
  return (source, write) => {
    if (latest === null || !isSame(latest.source, source)) latest = { source, hash: trace.keepText(write(source)) };
    return latest.hash;
  };
}
