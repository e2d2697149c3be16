import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { type Changes, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { DeliveryRow } from "./triggers";

/** Fails the list of statements if there is no such delivery. */
export function updateDeliveryStatement(id: string, columns: Changes<"delivery">): SqlStatement {
  return { ...updateRows("delivery", { id }, columns), mustChange: true };
}

/** Moves the next attempt, as long as the delivery is as it was read. */
export function postponeDeliveryStatement(
  { id, attempts, nextAt }: Pick<DeliveryRow, "id" | "attempts"> & { readonly nextAt: Date },
  until: Date,
): SqlStatement {
  return updateRows("delivery", { id, attempts, nextAt: sqlTimestamp(nextAt) }, { nextAt: until });
}

interface AttemptEnd {
  readonly state: string;
  readonly error: string;
  readonly nextAt: Date | null;
  readonly begunAt: Date | null;
  readonly attempts?: number;
}

/** Records how an attempt ended, and returns the delivery's id; nothing if another one has begun since. */
export function endAttemptStatement(
  { id, attempts, begunAt }: Pick<DeliveryRow, "id" | "attempts"> & { readonly begunAt: Date },
  end: AttemptEnd,
): SqlStatement {
  return build
    .updateTable("delivery")
    .set(end)
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("begunAt", "=", sqlTimestamp(begunAt))
    .returning("id")
    .compile();
}
