import { ChatTrigger } from "@/lib/schema/channels/channel-link";
import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import { StoredSchedule } from "@/lib/schema/triggers/schedule";
import { StoredIncoming } from "@/lib/schema/webhooks/webhook";
import type { RunRequest } from "@/lib/server/engine/accept";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { heartbeatOf } from "./heartbeat/heartbeat-state";

/** How a trigger's runs are started and followed up, regardless of its kind. */
export interface RunPlan
  extends Pick<StoredSchedule, "thread" | "on_ask" | "no_history" | "default_response" | "compact"> {
  readonly origin: NonNullable<RunRequest["origin"]>;
  /** The prompt for firings without their own. */
  readonly prompt: string;
  /** Overrides the agent's model. */
  readonly model?: string;
  /** `parallel`: each firing gets its run, whatever else is running. */
  readonly overlap: StoredSchedule["overlap"] | "parallel";
  /** Null: the trigger never pauses automatically. */
  readonly pause_after_failures: number | null;
  readonly deliver: readonly DeliveryTarget[];
  /** Null: runs are started as by a person's own messages, with only that person's rights. */
  readonly rules: Pick<
    NonNullable<NonNullable<RunRequest["trigger"]>["rules"]>,
    "allow" | "deny" | "runUsd" | "dayUsd" | "isConfined" | "maxSteps"
  > | null;
  /** The chat that the trigger's messages come from. */
  readonly chat?: ChatTrigger;
}

export function runPlanOf(trigger: Pick<TriggerRow, "id" | "kind" | "config">): RunPlan {
  if (trigger.kind === "channel") return planOfChat(trigger);
  if (trigger.kind === "webhook") return planOfWebhook(trigger);
  return trigger.kind === "heartbeat" ? planOfHeartbeat(trigger) : planOfSchedule(trigger);
}

/** A person's messages in a linked chat; the answer goes back to the chat. */
function planOfChat({ id, config }: Pick<TriggerRow, "id" | "config">): RunPlan {
  return {
    origin: "channel",
    prompt: "",
    thread: "new",
    on_ask: "wait",
    overlap: "parallel",
    pause_after_failures: null,
    no_history: false,
    compact: true,
    deliver: [{ channel: id }],
    rules: null,
    chat: ChatTrigger.parse(JSON.parse(config)),
  };
}

function planOfSchedule({ config: stored }: Pick<TriggerRow, "config">): RunPlan {
  const { budget, allow, deny, ...config } = StoredSchedule.parse(JSON.parse(stored));
  const { run_usd: runUsd, day_usd: dayUsd } = budget;
  return { ...config, origin: "schedule", rules: { allow, deny, runUsd, dayUsd } };
}

/** Each request is a separate run, which neither reads nor writes personal data. */
function planOfWebhook({ config: stored }: Pick<TriggerRow, "config">): RunPlan {
  const { budget, prompt, thread, on_ask } = StoredIncoming.parse(JSON.parse(stored));
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
}

/** The chat the person used last; without one, they get a notification. */
const LAST: readonly DeliveryTarget[] = [{ thread: true }, { channel: "last" }];

/** The prompt is built at each beat. */
function planOfHeartbeat(trigger: Pick<TriggerRow, "config">): RunPlan {
  const { deliver, model, budget, max_steps: maxSteps, ...config } = heartbeatOf(trigger);
  return {
    ...config,
    origin: "heartbeat",
    prompt: "",
    thread: "same",
    overlap: "skip",
    compact: config.compact && !config.no_history,
    deliver: deliver === "last" ? LAST : deliver,
    ...(model === null ? {} : { model }),
    rules: { allow: [], deny: [], runUsd: null, dayUsd: budget.day_usd, maxSteps },
  };
}
