import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import {
  keepHeartbeatStateStatement,
  moveHeartbeatStatement,
  noteHeartbeatRunStatement,
} from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { timerStatements } from "@/lib/server/triggers/timer";
import type { EndedRun, SettledRun } from "@/lib/server/triggers/trigger-kind";
import { heartbeatFiles } from "./heartbeat-file";
import { heartbeatOf, stateOf } from "./heartbeat-state";
import { everyMs, nextHeartbeatAt, paceAfterEmpty, zoneOf } from "./heartbeat-times";
import { markOf } from "./look-around";

/** How many of the last messages the next prompts include. */
const REMEMBERED = 3;
/** The limit for one of them. */
const MAX_REMEMBERED_CHARS = 2_000;
/** The limit of a beat's message on the page. */
const MAX_SAID_CHARS = 4_000;

/** A message resets the pause to `every`; empty runs that called a model lengthen it. */
export async function endHeartbeatRun(database: Database, ended: EndedRun): Promise<SettledRun> {
  const { trigger, firing, run, now } = ended;
  const config = heartbeatOf(trigger);
  const before = stateOf(trigger);
  const isOver = run.status === "completed" || run.status === "limit";
  const answered = isOver ? ended.text.trim() : "";
  const told = isOver && answered === "" ? await messagedBy(database, run.id) : null;
  const text = told ?? answered;
  const isRepeated = text !== "" && before.said.some((one) => isSameText(one.text, text));
  const said = text === "" || isRepeated ? null : text;
  const unchanged = { pauseMs: before.pauseMs, empty: before.empty };
  const isEmpty = said === null && isOver && run.steps > 0;
  const pace =
    said === null ? (isEmpty ? paceAfterEmpty(config, before) : unchanged) : { pauseMs: everyMs(config), empty: 0 };
  const spoken = { text: (said ?? "").slice(0, MAX_REMEMBERED_CHARS), at: now.toISOString(), runId: run.id };
  const state = {
    ...before,
    ...pace,
    said: said === null ? before.said : [...before.said, spoken].slice(-REMEMBERED),
    files: await marksNow(database, ended),
  };
  const move = pace.pauseMs === before.pauseMs ? [] : await moveStatements(database, ended, pace.pauseMs);
  const shown = said?.slice(0, MAX_SAID_CHARS) ?? null;
  const noted = { said: shown, ...(isRepeated ? { reason: REPEATED } : {}) };
  const statements = [
    noteHeartbeatRunStatement(firing.id, noted),
    keepHeartbeatStateStatement(trigger.id, state),
    ...move,
  ];
  return { said: shown, isTold: told !== null, statements };
}

const REPEATED = "It said again what it had said before, so it counts as silent.";

/** What the run sent to a chat with the tool `message`, the latest of several. */
async function messagedBy(database: Database, runId: string): Promise<string | null> {
  const sent = await database.delivery.findFirst({
    where: { runId, state: { not: "failed" }, target: { contains: '"message"' } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { body: true },
  });
  return sent === null || sent.body.trim() === "" ? null : sent.body.trim();
}

/** Moves the next beat by another pause, counted from this beat. */
async function moveStatements(
  database: Database,
  { trigger, firing, now }: EndedRun,
  pauseMs: number,
): Promise<SqlStatement[]> {
  const { id, enabled, nextDueAt } = trigger;
  if (!enabled || nextDueAt === null) return [];
  const config = heartbeatOf(trigger);
  const times = { active: config.active, zone: zoneOf(config, trigger.ownerId), pauseMs };
  const counted = nextHeartbeatAt(times, firing.dueAt);
  const next = counted > now ? counted : nextHeartbeatAt({ ...times, pauseMs: 0 }, now);
  return [moveHeartbeatStatement({ id, nextDueAt }, next), ...(await timerStatements(database, id, next))];
}

function isSameText(left: string, right: string): boolean {
  const plain = (text: string) => text.slice(0, MAX_REMEMBERED_CHARS).replaceAll(/\s+/g, " ").trim();
  return plain(left) === plain(right);
}

/** The current file marks: the agent's own changes don't count as news. */
async function marksNow(database: Database, { trigger, run }: EndedRun): Promise<Record<string, string>> {
  const globs = heartbeatOf(trigger).when.flatMap((check) => ("file" in check ? [check.file] : []));
  const before = stateOf(trigger).files;
  if (globs.length === 0 || trigger.ownerId === null) return before;
  const version = await loadAgentVersion(database, run.agentVersionId);
  const person = { agentId: trigger.agentId, ownerId: trigger.ownerId, threadId: run.threadId };
  try {
    const workspace = await heartbeatFiles(database, version, person);
    const marks = await Promise.all(globs.map(async (glob) => [glob, await markOf(workspace, glob)] as const));
    return Object.fromEntries(marks);
  } catch {
    // The files are with another process: the next look compares with what was seen before the beat.
    return before;
  }
}
