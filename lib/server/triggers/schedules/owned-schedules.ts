import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import { CreateScheduleBody, SCHEDULE_KINDS, type Schedule } from "@/lib/schema/triggers/schedule";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { TRIGGER_KINDS } from "@/lib/server/triggers/trigger-kinds";
import { createSchedule, deleteSchedule, updateSchedule } from "./manage-schedules";

/** The owner and agent whose schedules a run may access. */
interface Owned {
  readonly ownerId: string;
  readonly agentId: string;
}

/** A run, and the API key it counts for. */
interface Making extends Owned {
  readonly apiKeyId: string | null;
}

interface NewOwned {
  readonly name: string;
  readonly prompt: string;
  readonly cron?: string | undefined;
  readonly every?: string | undefined;
  readonly at?: string | undefined;
  readonly timezone?: string | undefined;
  readonly deliver: readonly DeliveryTarget[];
}

/** Creates a schedule with defaults for everything a run may not choose. Throws `invalid_input`. */
export function createOwned(
  services: Services,
  { ownerId, agentId, apiKeyId }: Making,
  fields: NewOwned,
): Promise<Schedule> {
  const maker = { id: ownerId, keyId: apiKeyId ?? undefined };
  return createSchedule(services, CreateScheduleBody.parse({ agentId, ...fields }), maker, accessOfOwner(ownerId));
}

const MOST_LISTED = 50;

export async function listOwned(services: Services, owner: Owned): Promise<Schedule[]> {
  const rows = await services.database.trigger.findMany({
    where: { ...owner, kind: { in: [...SCHEDULE_KINDS] } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_LISTED,
  });
  return TRIGGER_KINDS.schedule.describe(services, rows, new Date());
}

/** Throws `not_found`. */
export async function pauseOwned(services: Services, owner: Owned, id: string): Promise<Schedule> {
  await requireOwned(services.database, owner, id);
  return updateSchedule(services, id, { enabled: false }, { id: owner.ownerId, scopes: [] });
}

/** Throws `not_found`, `conflict`. */
export async function deleteOwned(services: Services, owner: Owned, id: string): Promise<void> {
  await requireOwned(services.database, owner, id);
  await deleteSchedule(services, id, { id: owner.ownerId, scopes: [] });
}

async function requireOwned(database: Database, owner: Owned, id: string): Promise<void> {
  if ((await database.trigger.count({ where: { id, ...owner } })) > 0) return;
  throw new AppError("not_found", "There is no such schedule. Use the action list to see those that there are.");
}
