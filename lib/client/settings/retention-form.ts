import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { formatCount } from "@/lib/client/ui/text/format";
import {
  ChangeSettingsBody,
  RETENTION_KINDS,
  type RetentionKind,
  type Settings,
  type TriedRetention,
} from "@/lib/schema/settings/settings";
import { KEPT_PROBLEM, keptText, readKept } from "./kept-for";

/** A time as people write it; nothing means for ever. */
const Kept = z.string().transform((text, context) => {
  const kept = readKept(text);
  if (kept === undefined) context.addIssue(KEPT_PROBLEM);
  return kept ?? null;
});
/** Of an agent; nothing means the installation's. */
const OwnKept = z.string().transform((text, context) => {
  if (text.trim() === "") return undefined;
  const kept = readKept(text);
  if (kept === undefined) context.addIssue(KEPT_PROBLEM);
  return kept;
});

const Typed = z.strictObject({
  retention: z.strictObject({
    events: Kept,
    traces: Kept,
    audit: Kept,
    threads: Kept,
    deletedThreads: Kept,
    fileVersions: Kept,
    agents: z.array(z.strictObject({ agentId: z.string(), traces: OwnKept, events: OwnKept })),
  }),
});
export type RetentionForm = z.input<typeof Typed>;

/** The settings as the form shows them. */
export function retentionValues({ retention: { agents, ...kinds } }: Settings): RetentionForm {
  const own = (kept: string | null | undefined) => (kept === undefined ? "" : keptText(kept));
  return {
    retention: {
      events: keptText(kinds.events),
      traces: keptText(kinds.traces),
      audit: keptText(kinds.audit),
      threads: keptText(kinds.threads),
      deletedThreads: keptText(kinds.deletedThreads),
      fileVersions: keptText(kinds.fileVersions),
      agents: Object.entries(agents).map(([agentId, { traces, events }]) => ({
        agentId,
        traces: own(traces),
        events: own(events),
      })),
    },
  };
}

/** Asks for what differs from `current`: what an environment variable fixes may not be sent. */
export function retentionSchema(current: Settings["retention"]) {
  return formSchema(
    Typed,
    ({ retention: { agents: rows, ...kinds } }) => {
      const changed = RETENTION_KINDS.filter((kind) => kinds[kind] !== current[kind]).map((kind) => [
        kind,
        kinds[kind],
      ]);
      const times: Partial<Record<RetentionKind, string | null>> = Object.fromEntries(changed);
      const agents = Object.fromEntries(rows.map(({ agentId, ...own }) => [agentId, own]));
      const areSame = JSON.stringify(agents) === JSON.stringify(current.agents);
      return { retention: { ...times, ...(areSame ? {} : { agents }) } };
    },
    ChangeSettingsBody,
  );
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
