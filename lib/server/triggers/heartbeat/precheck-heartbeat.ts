import { inTags, keepInTag } from "@/lib/agent/messages/tags";
import type { HeartbeatStop } from "@/lib/schema/triggers/heartbeat";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { findUsedUp } from "@/lib/server/engine/budgets/budget-left";
import { chainOf } from "@/lib/server/engine/budgets/caps";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { FiringRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import type { OwnedTrigger } from "@/lib/server/triggers/trigger-kind";
import { hasTasks, heartbeatFiles, mayReadHeartbeatFile, readHeartbeatFile } from "./heartbeat-file";
import { type HeartbeatState, heartbeatOf, type Said, stateOf } from "./heartbeat-state";
import { isActive, zoneOf } from "./heartbeat-times";
import { lookAround } from "./look-around";

/** The result of the checks before a beat: the prompt of its run, or the check that ended the beat, and why. */
export type HeartbeatPrecheck = { readonly state: HeartbeatState } & (
  | { readonly prompt: string }
  | { readonly stoppedBy: HeartbeatStop; readonly reason: string }
);

/** Runs the checks before a beat in order; the first no ends the beat without calling a model. Throws `not_found`. */
export async function precheckHeartbeat(
  services: Services,
  trigger: OwnedTrigger,
  firing: FiringRow,
  now: Date,
): Promise<HeartbeatPrecheck> {
  const { database } = services;
  const config = heartbeatOf(trigger);
  const state = stateOf(trigger);
  const zone = zoneOf(config, trigger.ownerId);
  // "Beat now" is a person's own decision.
  if (!isAskedFor(firing) && !isActive({ active: config.active, zone }, now)) {
    return { state, stoppedBy: "hours", reason: `It beats from ${config.active?.replace("-", " to ")}, ${zone}.` };
  }
  const { ownerId, agentId } = trigger;
  const apiKeyId = firing.apiKeyId ?? trigger.apiKeyId;
  const version = await loadCurrentVersion(database, agentId, accessOfOwner(ownerId));
  const dayUsd = config.budget.day_usd;
  const rules = { id: trigger.id, name: trigger.name, allow: [], deny: [], runUsd: null, dayUsd };
  const run = { id: "", agentId, ownerId, threadId: "", isInline: false, apiKeyId, projectId: null };
  const usedUp = await findUsedUp(database, chainOf(run, version.config, { trigger: rules, canAsk: false }), now);
  if (usedUp !== null) {
    const reason = `The budget of ${usedUp.usd === null ? `${usedUp.tokens} tokens` : `$${usedUp.usd}`} for this ${usedUp.period} is used up.`;
    return { state, stoppedBy: "budget", reason };
  }
  const threadId = await threadOf(database, trigger);
  const workspace = await heartbeatFiles(database, version, { agentId, ownerId, threadId });
  const tasks = await readHeartbeatFile(workspace, version);
  if (!hasTasks(tasks)) {
    const isKept = tasks === "" && !mayReadHeartbeatFile(version);
    return { state, stoppedBy: "file", reason: isKept ? KEPT_FILE : "HEARTBEAT.md names nothing to do." };
  }
  if (config.when.length === 0) return { state, prompt: promptOf(tasks, [], state.said, zone) };
  const looking = { trigger, firingId: firing.id, config: version.config, workspace, state, now };
  const { yes, no, files, answers } = await lookAround(services, config.when, looking);
  const seen = { ...state, files, answers, lookedAt: now.toISOString() };
  if (yes.length === 0) return { state: seen, stoppedBy: "when", reason: `Nothing new: ${no.join("; ")}.` };
  return { state: seen, prompt: promptOf(tasks, yes, state.said, zone) };
}

const KEPT_FILE = "The rules of its agent do not allow reading HEARTBEAT.md without asking.";

function isAskedFor({ key }: Pick<FiringRow, "key">): boolean {
  return key.startsWith("now:");
}

/** Null before the heartbeat's first run. */
export async function threadOf(
  database: Database,
  { id, ownerId, agentId }: Pick<OwnedTrigger, "id" | "ownerId" | "agentId">,
): Promise<string | null> {
  const clientId = `heartbeat:${id}`;
  const found = await database.thread.findUnique({
    where: { ownerId_agentId_clientId: { ownerId, agentId, clientId } },
    select: { id: true },
  });
  return found?.id ?? null;
}

function promptOf(tasks: string, yes: readonly string[], said: readonly Said[], zone: string): string {
  const parts = [
    "This is a heartbeat. Look after what HEARTBEAT.md says.",
    inTags("heartbeat_file", keepInTag("heartbeat_file", tasks.trim())),
    ...(yes.length === 0 ? [] : [`Why now: ${yes.join("; ")}.`]),
    ...(said.length === 0 ? [] : [`You said last:\n\n${said.map((one) => saidText(one, zone)).join("\n\n")}`]),
  ];
  return parts.join("\n\n");
}

function saidText({ text, at }: Said, timeZone: string): string {
  const time = new Date(at).toLocaleString("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return inTags("said", keepInTag("said", `${time}\n${text}`));
}
