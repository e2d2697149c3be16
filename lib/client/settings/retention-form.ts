import { z } from "zod";
import { formatCount } from "@/lib/client/ui/text/format";
import {
  RETENTION_KINDS,
  type RetentionKind,
  type Settings,
  type TriedRetention,
} from "@/lib/schema/settings/settings";
import { KEPT_PROBLEM, keptWords, readKept } from "./kept-for";
import type { FormReading } from "./use-settings-form";

const AgentTimes = z.object({ agentId: z.string(), traces: z.string(), events: z.string() });
/** As typed; an empty text means the installation's setting. */
export type AgentTimes = z.infer<typeof AgentTimes>;

export const RetentionValues = z.object({
  events: z.string(),
  traces: z.string(),
  audit: z.string(),
  threads: z.string(),
  deletedThreads: z.string(),
  fileVersions: z.string(),
  agents: z.array(AgentTimes),
});
export type RetentionValues = z.infer<typeof RetentionValues>;

/** The settings as the form shows them. */
export function retentionValues({ agents, ...kinds }: Settings["retention"]): RetentionValues {
  const own = (kept: string | null | undefined) => (kept === undefined ? "" : keptWords(kept));
  return {
    events: keptWords(kinds.events),
    traces: keptWords(kinds.traces),
    audit: keptWords(kinds.audit),
    threads: keptWords(kinds.threads),
    deletedThreads: keptWords(kinds.deletedThreads),
    fileVersions: keptWords(kinds.fileVersions),
    agents: Object.entries(agents).map(([agentId, { traces, events }]) => ({
      agentId,
      traces: own(traces),
      events: own(events),
    })),
  };
}

/** The change that the form asks for, without fixed or unchanged fields. */
export function readRetention(values: RetentionValues, current: Settings["retention"]): FormReading {
  const problems: Record<string, string> = {};
  const read = (path: string, text: string) => {
    const kept = readKept(text);
    if (kept === undefined) problems[path] = KEPT_PROBLEM;
    return kept ?? null;
  };
  const kinds: Partial<Record<RetentionKind, string | null>> = {};
  for (const kind of RETENTION_KINDS) {
    const kept = read(`retention.${kind}`, values[kind]);
    if (kept !== current[kind]) kinds[kind] = kept;
  }
  const agents = values.agents.map(({ agentId, traces, events }) => {
    const own = (name: string, text: string) =>
      text.trim() === "" ? {} : { [name]: read(`retention.agents.${agentId}.${name}`, text) };
    return [agentId, { ...own("traces", traces), ...own("events", events) }];
  });
  if (Object.keys(problems).length > 0) return { problems };
  const changed = JSON.stringify(Object.fromEntries(agents)) === JSON.stringify(current.agents);
  return { body: { retention: { ...kinds, ...(changed ? {} : { agents: Object.fromEntries(agents) }) } } };
}

const NOUNS = [
  ["traces", "trace"],
  ["threads", "unused thread"],
  ["deletedThreads", "deleted thread"],
  ["fileVersions", "earlier version of files"],
  ["audit", "entry of the audit log"],
] as const;

/**
 * The effect of other times on what is deleted next: "1,180 traces that would go stay." Null if there is no difference.
 */
export function retentionEffect({ now, proposed }: TriedRetention): {
  readonly goes: string | null;
  readonly stays: string | null;
} {
  const parts = (isMore: boolean) =>
    NOUNS.flatMap(([kind, noun]) => {
      const count = isMore ? proposed[kind] - now[kind] : now[kind] - proposed[kind];
      return count > 0 ? [`${formatCount(count)} ${count === 1 ? noun : plural(noun)}`] : [];
    }).join(", ");
  return { goes: parts(true) || null, stays: parts(false) || null };
}

function plural(noun: string): string {
  if (noun.startsWith("entry")) return noun.replace("entry", "entries");
  return noun.startsWith("earlier version") ? noun.replace("version", "versions") : `${noun}s`;
}
