import "server-only";
import type { z } from "zod";
import { AppError, type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import type { PageQuery } from "@/lib/schema/page-query";
import type {
  CreateHeartbeatBody,
  Heartbeat,
  HeartbeatList,
  HeartbeatRun,
  HeartbeatRunList,
  OfferedHeartbeat,
  UpdateHeartbeatBody,
} from "@/lib/schema/triggers/heartbeat";
import { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import type { Viewer } from "@/lib/schema/users/user";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import {
  type AgentAccess,
  accessOf,
  accessOfOwner,
  reachableWhere,
} from "@/lib/server/platform/db/queries/agent-access";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import {
  insertTriggerStatement,
  selectNow,
  type TriggerRow,
  updateTriggerStatement,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { httpToolProblem } from "@/lib/server/tools/http/ask-http-tool";
import { pageOfFiringRows } from "@/lib/server/triggers/firings";
import { keyAfterChange, type Maker } from "@/lib/server/triggers/made-by-key";
import {
  deleteTrigger,
  fireNow,
  getStored,
  given,
  listTriggers,
  pauseColumns,
  requireTrigger,
} from "@/lib/server/triggers/manage-trigger";
import { timerStatements } from "@/lib/server/triggers/timer";
import { toHeartbeatRun } from "./describe-heartbeats";
import { findHeartbeatProblem } from "./heartbeat-problem";
import { heartbeatOf, stateOf } from "./heartbeat-state";
import { everyMs, nextHeartbeatAt, zoneOf } from "./heartbeat-times";

type Owner = Pick<Viewer, "id" | "scopes" | "reach">;

const NOUN = "heartbeat";

/** The viewer's heartbeats, or all of them for administrators, newest first, and those the viewer could turn on. */
export async function listHeartbeats(
  services: Services,
  query: PageQuery,
  viewer: Viewer,
): Promise<z.infer<typeof HeartbeatList>> {
  const [{ shown, nextCursor }, offered] = await Promise.all([
    listTriggers(services, NOUN, query, viewer),
    query.cursor === undefined ? listOffered(services.database, viewer) : [],
  ]);
  return { heartbeats: shown, offered, nextCursor };
}

const MOST_OFFERED = 100;

/** The agents whose config has a heartbeat that the viewer has not turned on. */
async function listOffered(database: Database, viewer: Viewer): Promise<OfferedHeartbeat[]> {
  if (!viewer.scopes.includes("chat")) return [];
  const [agents, own] = await Promise.all([
    database.agent.findMany({
      where: { deletedAt: null, currentVersionId: { not: null }, ...reachableWhere(accessOf(viewer)) },
      orderBy: { id: "asc" },
      select: { id: true, currentVersionId: true },
    }),
    database.trigger.findMany({ where: { kind: NOUN, ownerId: viewer.id }, select: { agentId: true } }),
  ]);
  const taken = new Set(own.map(({ agentId }) => agentId));
  const named = await database.agentVersion.findMany({
    where: {
      id: { in: agents.filter(({ id }) => !taken.has(id)).flatMap(({ currentVersionId }) => currentVersionId ?? []) },
      config: { contains: '"heartbeat":{' },
    },
    orderBy: { agentId: "asc" },
    take: MOST_OFFERED,
    select: { id: true },
  });
  const versions = await Promise.all(named.map(({ id }) => loadAgentVersion(database, id)));
  return versions.flatMap(({ agentId, number, config: { name, heartbeat } }) =>
    heartbeat === null
      ? []
      : [
          {
            agentId,
            agentName: name,
            agentVersion: number,
            every: heartbeat.every,
            dayUsd: heartbeat.budget.day_usd,
          },
        ],
  );
}

/**
 * Omitted fields default to the agent's `heartbeat`. Throws `not_found` for an unreachable agent, `conflict` if the
 * person already has a heartbeat of it, `invalid_input`.
 */
export async function createHeartbeat(
  services: Services,
  { agentId, enabled, ...fields }: CreateHeartbeatBody,
  viewer: Maker,
  access: AgentAccess,
): Promise<Heartbeat> {
  const { database } = services;
  const version = await loadCurrentVersion(database, agentId, access);
  const config = HeartbeatConfig.parse({ ...version.config.heartbeat, ...given(fields) });
  await requireConfig(services, config, version);
  const now = await selectNow(database);
  const id = createId("trg");
  const nextDueAt = enabled ? firstHeartbeatAt(config, viewer.id, now) : null;
  const data = {
    id,
    ownerId: viewer.id,
    agentId,
    kind: NOUN,
    enabled,
    nextDueAt,
    name: `Heartbeat of ${version.config.name}`,
    config: JSON.stringify(config),
    apiKeyId: viewer.keyId ?? null,
  };
  const after = { agentId, enabled, ...config };
  try {
    await database.runAll([
      insertTriggerStatement({ ...data, createdAt: now, updatedAt: now }),
      auditStatement({ actorId: viewer.id, action: "heartbeat.created", target: `heartbeat:${id}`, after }),
      ...(await timerStatements(database, id, nextDueAt)),
    ]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new AppError("conflict", "You have a heartbeat of this agent already. Change that one.");
  }
  return getStored(services, NOUN, id);
}

/**
 * Omitted fields keep their values. Turning on clears the pause reason and resets the pause to its shortest, as does a
 * new pace. Throws `not_found`, `invalid_input`, `forbidden`.
 */
export async function updateHeartbeat(
  services: Services,
  id: string,
  { enabled: wanted, ...fields }: z.output<typeof UpdateHeartbeatBody>,
  viewer: Viewer,
): Promise<Heartbeat> {
  const { database } = services;
  const row = await requireOwn(services, id, viewer);
  const before = heartbeatOf(row);
  const config = HeartbeatConfig.parse({ ...before, ...given(fields) });
  const enabled = wanted ?? row.enabled;
  const isTurnedOn = enabled && !row.enabled;
  const isChanged = Object.keys(given(fields)).length > 0;
  if (isTurnedOn || isChanged) {
    await requireConfig(services, config, await loadCurrentVersion(database, row.agentId, accessOfOwner(viewer.id)));
  }
  const now = await selectNow(database);
  const isNewPace = paceOf(config) !== paceOf(before) || isTurnedOn;
  const nextDueAt = enabled ? (isNewPace ? firstHeartbeatAt(config, viewer.id, now) : row.nextDueAt) : null;
  const state = isNewPace ? { ...stateOf(row), pauseMs: everyMs(config), empty: 0 } : null;
  const data = {
    config: JSON.stringify(config),
    enabled,
    nextDueAt,
    ...(state === null ? {} : { state: JSON.stringify(state) }),
    ...pauseColumns(row, wanted, now),
    ...(await keyAfterChange(database, row, viewer, { isChanged, isSwitchedOn: wanted === true })),
  };
  const record = {
    actorId: viewer.id,
    action: "heartbeat.changed",
    target: `heartbeat:${id}`,
    ...changedFields({ ...before, enabled: row.enabled }, { ...config, enabled }),
  };
  await database.runAll([
    updateTriggerStatement(id, { ...data, updatedAt: now }),
    auditStatement(record),
    ...(await timerStatements(database, id, nextDueAt)),
  ]);
  return getStored(services, NOUN, id);
}

/** Deletes a heartbeat; its thread stays. Throws `not_found`. */
export async function deleteHeartbeat(services: Services, id: string, viewer: Viewer): Promise<void> {
  const row = await requireTrigger(services, NOUN, id, viewer);
  const { agentId, ownerId } = row;
  await deleteTrigger(services, NOUN, row, { actorId: viewer.id, before: { agentId, ownerId } });
}

/** Fires a beat now, with every check except active hours and pause. Throws `not_found`, `forbidden`, `conflict`. */
export async function runHeartbeatNow(services: Services, id: string, viewer: Viewer): Promise<HeartbeatRun> {
  const row = await requireOwn(services, id, viewer);
  return toHeartbeatRun(await fireNow(services, NOUN, row, viewer));
}

/** Newest first. Throws `not_found`. */
export async function listHeartbeatRuns(
  services: Services,
  id: string,
  query: PageQuery,
  viewer: Viewer,
): Promise<z.infer<typeof HeartbeatRunList>> {
  await requireTrigger(services, NOUN, id, viewer);
  const { rows, nextCursor } = await pageOfFiringRows(services.database, { triggerId: id }, query);
  return { firings: rows.map(toHeartbeatRun), nextCursor };
}

/** Administrators can read all heartbeats, but change only their own. Throws `not_found`, `forbidden`. */
export async function requireOwn(services: Services, id: string, viewer: Owner): Promise<TriggerRow> {
  const row = await requireTrigger(services, NOUN, id, viewer);
  if (row.ownerId !== viewer.id) throw new AppError("forbidden", NOT_YOURS);
  return row;
}

const NOT_YOURS = "This heartbeat is another person's: its runs act for them. Turn one on of your own.";

function firstHeartbeatAt(config: HeartbeatConfig, ownerId: string, now: Date): Date {
  return nextHeartbeatAt({ active: config.active, zone: zoneOf(config, ownerId), pauseMs: everyMs(config) }, now);
}

function paceOf({ every, active, timezone }: HeartbeatConfig): string {
  return [every, active, timezone].join(" ");
}

async function requireConfig(
  services: Services,
  config: HeartbeatConfig,
  { config: agent }: AgentVersion,
): Promise<void> {
  const problem = findHeartbeatProblem(config, env().minEveryMs) ?? (await findCheckProblem(services, config, agent));
  if (problem !== null) refuseFields([problem]);
}

async function findCheckProblem(
  services: Services,
  { when }: HeartbeatConfig,
  config: AgentVersion["config"],
): Promise<FieldProblem | null> {
  for (const [index, check] of when.entries()) {
    if (!("http" in check)) continue;
    const message = await httpToolProblem(services, { name: check.http, args: check.args, config });
    if (message !== null) return { path: `when.${index}.http`, message };
  }
  return null;
}
