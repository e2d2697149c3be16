import { WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { announceSettings, onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** A webhook's recipient and the events it receives. */
interface OutgoingWebhook {
  readonly id: string;
  readonly events: readonly WebhookEvent[];
  /** Null: any agent. */
  readonly agentId: string | null;
}

const state = () => processState("outgoing-webhooks", () => ({ webhooks: [] as readonly OutgoingWebhook[] }));

/** The enabled webhooks, as this process knows them: if there are none, a run makes no query. */
export function outgoingWebhooks(): readonly OutgoingWebhook[] {
  return state().webhooks;
}

async function load(database: Database): Promise<void> {
  const rows = await database.webhook.findMany({ where: { enabled: true }, orderBy: { id: "asc" } });
  state().webhooks = readEach(rows, "webhook", ({ id, events, agentId }) => ({
    id,
    events: WebhookEvent.array().parse(JSON.parse(events)),
    agentId,
  }));
}

/** Loads the webhooks once, and again whenever another process changes one. */
export async function startOutgoingWebhooks(database: Database): Promise<void> {
  await load(database);
  onSettingsElsewhere(() => {
    load(database).catch((error: unknown) => logger().error({ err: error }, "could not load the webhooks"));
  });
}

/** Applies a change at once in this process and all others. */
export async function applyWebhookChange(database: Database): Promise<void> {
  await load(database);
  announceSettings();
}
