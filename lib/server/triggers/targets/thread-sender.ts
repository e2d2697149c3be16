import { announceToUser } from "@/lib/server/engine/log/signals";
import type { DeliverySender } from "./delivery-sender";

/** The reply is already in the thread when it is delivered: only its open pages are notified. */
export const threadSender: DeliverySender = {
  dropsRepeats: true,
  async send({ database }, { runId, ownerId }) {
    const run = await database.run.findUnique({ where: { id: runId }, select: { threadId: true, status: true } });
    if (!run) throw new Error("The run is gone, and its thread with it.");
    announceToUser(ownerId, { type: "run.changed", threadId: run.threadId, runId, status: run.status });
  },
};
