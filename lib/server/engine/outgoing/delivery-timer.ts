import { z } from "zod";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** The task of a delivery whose attempt is due. */
export const DELIVERY_TASK = "delivery";

export const DeliveryTask = z.object({ deliveryId: z.string() });

/** Statements that schedule the attempt for that time. */
export async function deliveryTimer(
  database: Database,
  deliveryId: string,
  at: Date,
): Promise<readonly SqlStatement[]> {
  const name = `${DELIVERY_TASK} ${deliveryId} ${at.getTime()}`;
  return dispatcherOf(database).schedule({ name, at, task: DELIVERY_TASK, data: { deliveryId } });
}
