import { type IncomingWebhook, StoredIncoming } from "@/lib/schema/webhooks/webhook";
import type { TriggerKind } from "@/lib/server/triggers/trigger-kind";

/** Each request is a separate run, which neither reads nor writes personal data. */
export const webhookKind: TriggerKind<StoredIncoming, IncomingWebhook> = {
  noun: "webhook",
  stored: ["webhook"],
  configSchema: StoredIncoming,
  async describe(services, rows, now) {
    const { describeIncoming } = await import("./describe-webhooks");
    return describeIncoming(services.database, rows, now);
  },
  plan({ config }) {
    const { budget, prompt, thread, on_ask } = StoredIncoming.parse(JSON.parse(config));
    const { run_usd: runUsd, day_usd: dayUsd } = budget;
    return {
      origin: "webhook",
      prompt,
      thread,
      on_ask,
      overlap: "parallel",
      pause_after_failures: null,
      deliver: [],
      no_history: false,
      compact: true,
      rules: { allow: [], deny: [], runUsd, dayUsd, isConfined: true },
    };
  },
};
