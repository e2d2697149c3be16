import { costUsd } from "@/lib/models/price";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { decodeRunEvent, encodeRunEvent } from "@/lib/server/engine/log/event-row";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { selectUnpricedReplies, updateEventData } from "@/lib/server/platform/db/queries/run-events";

/**
 * Adds the cost of replies and summaries to the logs of open runs if an earlier version of this program omitted it:
 * otherwise such a run would end with an unknown cost, and so would its thread. Called once at startup.
 */
export async function priceOldReplies(database: Database): Promise<void> {
  // A summary does not say which model wrote it, so the model of the reply after it is used.
  let next = { runId: "", model: "" };
  await eachAlone(await selectUnpricedReplies(database), "pricing an old reply", async (row) => {
    const event = decodeRunEvent(row.data);
    if (event.type === "model.completed") next = { runId: row.runId, model: event.reply.model };
    const priced = withCost(event, next.runId === row.runId ? next.model : "");
    await updateEventData(database, { ...row, data: encodeRunEvent(priced) });
  });
}

function withCost(event: RunEvent, model: string): RunEvent {
  if (event.type === "summary.completed") return { ...event, costUsd: costUsd(model, event.usage) };
  if (event.type !== "model.completed") return event;
  return { ...event, reply: { ...event.reply, costUsd: costUsd(model, event.reply.usage) } };
}
