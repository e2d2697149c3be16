import "server-only";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { createToolbox } from "@/lib/agent/tools/toolbox";
import { type AddressContext, addressSubject, callSubject, permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission, isOffered } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { PreflightBody, PreflightReply } from "@/lib/schema/triggers/schedule";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { selectNow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { agentInReach, runInReach } from "@/lib/server/platform/within-reach";
import { inOwnersZone, requireTimes, timeZoneOf, upcoming } from "@/lib/server/triggers/schedules/due-times";
import { SHOWN_TIMES } from "@/lib/server/triggers/schedules/next-times";
import { assembleAgent } from "./assemble-agent";

const PAST_RUNS = 30;

/**
 * Which calls of a schedule would ask under the agent's current rules: first those that past runs of the schedule, or
 * otherwise of the viewer with this agent, asked about, then the tools without a known call. Also when the schedule
 * would be due. Stores nothing. Throws `not_found`, `invalid_input`.
 */
export async function preflight(services: Services, body: PreflightBody, viewer: Viewer): Promise<PreflightReply> {
  const { database } = services;
  const { agentId, scheduleId } = body;
  const { config } = await loadCurrentVersion(database, agentId, accessOf(viewer));
  const now = await selectNow(database);
  const times = inOwnersZone(body, viewer.id);
  requireTimes(times, now, env().minEveryMs);
  const { tools } = await assembleAgent(services, config);
  const toolbox = createToolbox(tools);
  const permissions = permissionSettings(config);
  const workdir = config.backend?.workdir ?? "/workspace";
  const isTool = (name: string) => tools.some((known) => known.name === name);
  const addresses: AddressContext = {
    place: { backend: config.backend, workspace: { isSandboxed: true } },
    hosts: config.web.fetch.hosts,
    known: async () => ({ texts: [config.system_prompt, body.prompt ?? ""], found: [], allowedTools: [] }),
  };
  const explain = async (name: string, args: Record<string, unknown>) => {
    const tool = toolbox.find(name);
    if (!tool) return null;
    const ofTool = permissionSubject(tool, workdir, isTool);
    if (!isOffered(tool.name, ofTool, permissions)) return null;
    const subject = await addressSubject(callSubject(ofTool, tool, args), tool, args, addresses);
    const { verdict, explanation } = explainPermission({ tool: tool.name, args }, subject, permissions);
    return verdict === "ask" ? explanation : null;
  };
  const past = await pastCalls(database, { agentId, scheduleId, viewer });
  const asks: PreflightReply["asks"] = [];
  for (const { tool, args, runs } of past.calls) {
    const reason = await explain(tool, args);
    if (reason !== null) asks.push({ tool, args, reason, runs });
  }
  const known = new Set(asks.map(({ tool }) => tool));
  for (const { name } of tools.filter((tool) => !known.has(tool.name))) {
    const reason = await explain(name, {});
    if (reason !== null) asks.push({ tool: name, args: null, reason, runs: 0 });
  }
  const next = upcoming(times, now, SHOWN_TIMES).map((due) => due.toISOString());
  return { asks, pastRuns: past.runs, next, timezone: timeZoneOf(times) };
}

interface Whose {
  readonly agentId: string;
  readonly scheduleId?: string | undefined;
  readonly viewer: Reader;
}

/** What the latest runs asked about, most frequent first. */
async function pastCalls(database: Database, { agentId, scheduleId, viewer }: Whose) {
  const fired =
    scheduleId === undefined
      ? []
      : await database.firing.findMany({
          where: {
            triggerId: scheduleId,
            runId: { not: null },
            trigger: { ownerId: viewer.id, ...agentInReach(viewer) },
          },
          orderBy: { dueAt: "desc" },
          take: PAST_RUNS,
          select: { runId: true },
        });
  const ids = fired.flatMap(({ runId }) => runId ?? []);
  const where =
    ids.length > 0 ? { id: { in: ids } } : { agentId, ownerId: viewer.id, parentRunId: null, ...runInReach(viewer) };
  const runs = await database.run.findMany({
    where,
    orderBy: { createdAt: "desc" },
    take: PAST_RUNS,
    select: { id: true },
  });
  const approvals = await database.approval.findMany({
    where: { kind: "approval", runId: { in: runs.map(({ id }) => id) } },
    select: { runId: true, tool: true, args: true },
  });
  const calls = new Map<string, { tool: string; args: Record<string, unknown>; runIds: Set<string> }>();
  for (const { runId, tool, args: text } of approvals) {
    const args: Record<string, unknown> = JSON.parse(text);
    const key = `${tool} ${canonicalArgs(args)}`;
    const call = calls.get(key) ?? { tool, args, runIds: new Set<string>() };
    call.runIds.add(runId);
    calls.set(key, call);
  }
  const counted = [...calls.values()].map(({ tool, args, runIds }) => ({ tool, args, runs: runIds.size }));
  return { runs: runs.length, calls: counted.toSorted((one, other) => other.runs - one.runs) };
}
