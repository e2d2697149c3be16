import "server-only";
import { readDuration } from "@/lib/schema/settings/duration";
import type { AgentRetention, TriedRetention, TryRetentionBody } from "@/lib/schema/settings/settings";
import { RETENTION_KINDS } from "@/lib/schema/settings/settings";
import type { Database } from "@/lib/server/platform/db/database";
import { countFileVersionsBefore } from "@/lib/server/platform/db/queries/retention/old-versions";
import { countTracesBefore, type SomeAgents } from "@/lib/server/platform/db/queries/retention/purge";
import { countUnusedThreads } from "@/lib/server/platform/db/queries/threads";
import type { Retention } from "@/lib/server/platform/env";
import { currentSettings, type StoredSettings } from "./settings-state";

interface RetentionInForce {
  readonly kinds: Retention;
  /** The agents with their own retention time. */
  readonly agents: {
    readonly events: Readonly<Record<string, number | null>>;
    readonly traces: Readonly<Record<string, number | null>>;
  };
}

/** The retention times currently in force, in ms. */
export function retentionInForce(
  { agents, ...kinds }: StoredSettings["retention"] = currentSettings().retention,
): RetentionInForce {
  const ofAgents = (kind: keyof AgentRetention) =>
    Object.fromEntries(
      Object.entries(agents).flatMap(([id, own]) => {
        const text = own[kind];
        return text === undefined ? [] : [[id, toMs(text)]];
      }),
    );
  return {
    kinds: {
      events: toMs(kinds.events),
      traces: toMs(kinds.traces),
      audit: toMs(kinds.audit),
      threads: toMs(kinds.threads),
      deletedThreads: toMs(kinds.deletedThreads),
      fileVersions: toMs(kinds.fileVersions),
    },
    agents: { events: ofAgents("events"), traces: ofAgents("traces") },
  };
}

function toMs(text: string | null): number | null {
  return text === null ? null : (readDuration(text) ?? null);
}

/** Retention rules for traces by agent; traces kept forever have no rule. */
export function traceRules(
  othersMs: number | null,
  agentsMs: Readonly<Record<string, number | null>>,
): { readonly keptMs: number; readonly agents: SomeAgents }[] {
  const own = Object.entries(agentsMs);
  const others = { keptMs: othersMs, agents: { except: own.map(([id]) => id) } };
  const rules = [others, ...own.map(([id, keptMs]) => ({ keptMs, agents: { only: [id] } }))];
  return rules.flatMap(({ keptMs, agents }) => (keptMs === null ? [] : [{ keptMs, agents }]));
}

/** What housekeeping would delete now, and what it would delete with these times. Changes nothing. */
export async function tryRetention(
  database: Database,
  { retention }: TryRetentionBody,
  nowMs = Date.now(),
): Promise<TriedRetention> {
  const now = currentSettings().retention;
  const wanted = { ...now, ...retention };
  const [counted, proposed] = await Promise.all([now, wanted].map((times) => countGoing(database, times, nowMs)));
  if (!counted || !proposed) throw new Error("two in, two out");
  return { now: counted, proposed };
}

async function countGoing(db: Database, retention: StoredSettings["retention"], nowMs: number) {
  const { kinds, agents } = retentionInForce(retention);
  const before = (keptMs: number) => new Date(nowMs - keptMs);
  const { audit, threads, deletedThreads, fileVersions } = kinds;
  let traces = 0;
  for (const rule of traceRules(kinds.traces, agents.traces)) {
    traces += await countTracesBefore(db, before(rule.keptMs), rule.agents);
  }
  return {
    traces,
    audit: audit === null ? 0 : await db.auditEntry.count({ where: { createdAt: { lt: before(audit) } } }),
    threads: threads === null ? 0 : await countUnusedThreads(db, before(threads)),
    fileVersions: fileVersions === null ? 0 : await countFileVersionsBefore(db, before(fileVersions)),
    deletedThreads:
      deletedThreads === null ? 0 : await db.thread.count({ where: { deletedAt: { lt: before(deletedThreads) } } }),
  };
}

/** The kinds of `retention` named in a PATCH. */
export function namedKinds(retention: TryRetentionBody["retention"]) {
  return RETENTION_KINDS.filter((kind) => retention[kind] !== undefined);
}
