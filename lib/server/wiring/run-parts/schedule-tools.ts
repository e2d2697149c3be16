import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { answersChat } from "@/lib/schema/runs/run";
import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Services } from "@/lib/server/platform/services";
import { isToolNamed } from "@/lib/tools/offer-tools";
import { type KeptSchedule, type ResultPlace, SCHEDULE, type ScheduleKeeper } from "@/lib/tools/schedule";

/** `schedule`, for the run of an agent whose `tools` include it; other runs load nothing. */
export async function scheduleTools(
  services: Services,
  run: ClaimedRun,
  config: Pick<AgentConfig, "tools">,
): Promise<Tool[]> {
  if (!isToolNamed(config, SCHEDULE)) return [];
  const { scheduleTool } = await import("@/lib/tools/schedule");
  return [scheduleTool(keeperOf(services, run))];
}

const SHOWN_TIMES = 5;

/** Schedules of the run's owner for the run's agent; all others are not found. */
function keeperOf(services: Services, run: ClaimedRun): ScheduleKeeper {
  const { agentId, ownerId } = run;
  const schedules = () => import("@/lib/server/triggers/schedules/owned-schedules");
  const owner = { ownerId, agentId };
  return {
    create: async ({ deliver: places = answersChat(run) ? ["chat"] : ["thread"], ...fields }) => {
      const deliver = [...new Set(places)].map(targetOf);
      return kept(
        await (await schedules()).createOwned(services, { ...owner, apiKeyId: run.apiKeyId }, { ...fields, deliver }),
      );
    },
    list: async () => Promise.all((await (await schedules()).listOwned(services, owner)).map(kept)),
    pause: async (id) => kept(await (await schedules()).pauseOwned(services, owner, id)),
    remove: async (id) => (await schedules()).deleteOwned(services, owner, id),
  };
}

function targetOf(place: ResultPlace): DeliveryTarget {
  return place === "chat" ? { channel: "last" } : { [place]: true };
}

function placeOf(target: DeliveryTarget): ResultPlace {
  if (target.channel !== undefined) return "chat";
  if (target.webhook !== undefined) return "webhook";
  return target.email ? "email" : target.notify ? "notify" : "thread";
}

async function kept(schedule: Schedule): Promise<KeptSchedule> {
  const { upcoming } = await import("@/lib/server/triggers/schedules/due-times");
  const { id, name, timezone, enabled, nextDueAt, cron, every, at, deliver } = schedule;
  const first = nextDueAt === null ? [] : [new Date(nextDueAt)];
  const later = first.flatMap((due) => upcoming(schedule, due, SHOWN_TIMES - 1));
  const next = [...first, ...later].map((due) => due.toISOString());
  return { id, name, timezone, enabled, cron, every, at, next, deliver: deliver.map(placeOf) };
}
