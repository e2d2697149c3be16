import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import { StoredSchedule } from "@/lib/schema/triggers/schedule";
import { StoredIncoming } from "@/lib/schema/webhooks/webhook";
import type { RunRequest } from "@/lib/server/engine/accept";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";

/** How the runs of a trigger are started and what follows them, whatever its kind. */
export interface RunPlan
  extends Pick<StoredSchedule, "thread" | "on_ask" | "no_history" | "default_response" | "compact"> {
  readonly origin: NonNullable<RunRequest["origin"]>;
  /** Of a firing that brings none of its own. */
  readonly prompt: string;
  /** `parallel`: each has its run, whatever else is running. */
  readonly overlap: StoredSchedule["overlap"] | "parallel";
  /** Null: it never pauses by itself. */
  readonly pause_after_failures: number | null;
  readonly deliver: readonly DeliveryTarget[];
  readonly rules: Pick<
    NonNullable<NonNullable<RunRequest["trigger"]>["rules"]>,
    "allow" | "deny" | "runUsd" | "dayUsd" | "isConfined"
  >;
}

export function runPlanOf(trigger: Pick<TriggerRow, "kind" | "config">): RunPlan {
  return trigger.kind === "webhook" ? planOfWebhook(trigger) : planOfSchedule(trigger);
}

function planOfSchedule({ config: stored }: Pick<TriggerRow, "config">): RunPlan {
  const { budget, allow, deny, ...config } = StoredSchedule.parse(JSON.parse(stored));
  const { run_usd: runUsd, day_usd: dayUsd } = budget;
  return { ...config, origin: "schedule", rules: { allow, deny, runUsd, dayUsd } };
}

/** Each request is a run of its own, which neither reads nor writes what a person has. */
function planOfWebhook({ config: stored }: Pick<TriggerRow, "config">): RunPlan {
  const { budget, prompt, thread, on_ask } = StoredIncoming.parse(JSON.parse(stored));
  const { run_usd: runUsd, day_usd: dayUsd } = budget;
  return {
    ...{ origin: "webhook", prompt, thread, on_ask, overlap: "parallel", pause_after_failures: null, deliver: [] },
    ...{ no_history: false, compact: true },
    rules: { allow: [], deny: [], runUsd, dayUsd, isConfined: true },
  };
}
