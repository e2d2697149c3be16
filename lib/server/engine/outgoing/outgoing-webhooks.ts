import { WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { announceSettings, onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** Who is told of which events. */
interface OutgoingWebhook {
  readonly id: string;
  readonly events: readonly WebhookEvent[];
  /** Null: whichever agent it is. */
  readonly agentId: string | null;
}

const state = () => processState("outgoing-webhooks", () => ({ webhooks: [] as readonly OutgoingWebhook[] }));

/** Those that are on, as this process knows them: where there are none, a run asks no database. */
export function outgoingWebhooks(): readonly OutgoingWebhook[] {
  return state().webhooks;
}

async function load(database: Database): Promise<void> {
  const rows = await database.webhook.findMany({ where: { enabled: true }, orderBy: { id: "asc" } });
  state().webhooks = rows.map(({ id, events, agentId }) => ({
    id,
    events: WebhookEvent.array().parse(JSON.parse(events)),
    agentId,
  }));
}

/** Loads them for the first time, and from now on again whenever another process has changed one. */
export async function startOutgoingWebhooks(database: Database): Promise<void> {
  await load(database);
  onSettingsElsewhere(() => {
    load(database).catch((error: unknown) => logger().error({ err: error }, "could not load the webhooks"));
  });
}

/** After a change: this process and all others act by it at once. */
export async function applyWebhookChange(database: Database): Promise<void> {
  await load(database);
  announceSettings();
}
