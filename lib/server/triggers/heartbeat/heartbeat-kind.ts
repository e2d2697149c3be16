import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import type { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import { keepHeartbeatStateStatement } from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import type { TriggerKind } from "@/lib/server/triggers/trigger-kind";
import { heartbeatOf, stateOf } from "./heartbeat-state";
import { heartbeatsDueBy, zoneOf } from "./heartbeat-times";

/** The chat the person used last; without one, they get a notification. */
const LAST: readonly DeliveryTarget[] = [{ thread: true }, { channel: "last" }];

/** What runs around a heartbeat is loaded only where there are heartbeats. */
export const heartbeatKind: TriggerKind<HeartbeatConfig, Heartbeat> = {
  noun: "heartbeat",
  stored: ["heartbeat"],
  configSchema: HeartbeatConfig,
  async describe(services, rows, now) {
    const { describeHeartbeats } = await import("./describe-heartbeats");
    return describeHeartbeats(services.database, rows, now);
  },
  times: {
    /** One heartbeat run makes up for all missed ones because it looks at the current state. */
    dueBy(trigger, first, now) {
      const { active } = heartbeatOf(trigger);
      const zone = zoneOf(heartbeatOf(trigger), trigger.ownerId);
      const { pauseMs } = stateOf(trigger);
      return { due: heartbeatsDueBy({ active, zone, pauseMs }, first, now), graceMs: Number.POSITIVE_INFINITY, zone };
    },
    async whyAsleep(database, trigger, now) {
      const { isIdle } = await import("./idle");
      return (await isIdle(database, trigger, now)) ? "idle" : null;
    },
  },
  /** Its prompt is built by the precheck. */
  plan(trigger) {
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
  },
  async precheck(services, trigger, firing, now) {
    const { precheckHeartbeat } = await import("./precheck-heartbeat");
    const { state, ...found } = await precheckHeartbeat(services, trigger, firing, now);
    const statements = [keepHeartbeatStateStatement(trigger.id, state)];
    return { ...found, columns: { pauseMs: state.pauseMs }, statements };
  },
  async settle(database, ended) {
    const { endHeartbeatRun } = await import("./end-heartbeat-run");
    return endHeartbeatRun(database, ended);
  },
};
