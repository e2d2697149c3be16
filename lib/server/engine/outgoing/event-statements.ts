import type { WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { deliveryTimer } from "./delivery-timer";
import { outgoingWebhooks } from "./outgoing-webhooks";

export interface OutgoingEvent {
  readonly type: WebhookEvent;
  readonly data: Readonly<Record<string, unknown>>;
}

interface RunOfEvent {
  readonly id: string;
  readonly threadId: string;
  readonly ownerId: string;
  readonly agentId: string;
}

/**
 * Statements stored with a change of a run to notify the webhooks that subscribe to it: one delivery for each, in the
 * same transaction, so that a process that dies neither loses nor duplicates one. Costs nothing if there are no
 * webhooks.
 */
export async function eventStatements(
  database: Database,
  run: RunOfEvent,
  events: readonly OutgoingEvent[],
  at: Date,
): Promise<SqlStatement[]> {
  const webhooks = outgoingWebhooks().filter(({ agentId }) => agentId === null || agentId === run.agentId);
  const wanted = webhooks.flatMap(({ id, events: types }) =>
    events.filter(({ type }) => types.includes(type)).map((event) => ({ webhookId: id, event })),
  );
  if (wanted.length === 0) return [];
  const facts = await database.run.findUnique({ where: { id: run.id }, select: RUN_COLUMNS });
  // Nobody outside is told of a trial.
  if (!facts || facts.thread.isTest || facts.thread.replayId !== null) return [];
  const statements = wanted
    // A subagent's asks are reported; its end is its parent's business.
    .filter(({ event }) => facts.parentRunId === null || !event.type.startsWith("run."))
    .map(async ({ webhookId, event: { type, data } }) => {
      const id = createId("dlv");
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...dataOf(run, facts), ...data } });
      const row = { id, runId: run.id, ownerId: run.ownerId, webhookId, event: type, body };
      const target = JSON.stringify({ webhook: webhookId });
      return [
        insertDeliveryStatement({ ...row, target, state: "pending", nextAt: at, createdAt: at }),
        ...(await deliveryTimer(database, id, at)),
      ];
    });
  return (await Promise.all(statements)).flat();
}

const RUN_COLUMNS = {
  parentRunId: true,
  origin: true,
  agentVersion: { select: { number: true } },
  thread: { select: { title: true, isTest: true, replayId: true } },
} as const;

interface RunColumns {
  readonly origin: string;
  readonly agentVersion: { readonly number: number | null } | null;
  readonly thread: { readonly title: string | null };
}

function dataOf({ id, threadId, agentId }: RunOfEvent, { origin, agentVersion, thread }: RunColumns) {
  return {
    run_id: id,
    thread_id: threadId,
    thread_title: thread.title,
    agent_id: agentId,
    agent_version: agentVersion?.number ?? null,
    origin,
  };
}
