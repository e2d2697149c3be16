import type { z } from "zod";
import type { ChatTrigger } from "@/lib/schema/channels/channel-link";
import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import type { PausedReason, StoredSchedule } from "@/lib/schema/triggers/schedule";
import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import type { RunRequest } from "@/lib/server/engine/accept";
import type { Database } from "@/lib/server/platform/db/database";
import type { FiringRow, TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Services } from "@/lib/server/platform/services";
import type { DueTimes } from "./schedules/due-times";

/** What starts runs by itself: its config, its times, and what happens before, in and after its runs. */
export interface TriggerKind<Config = unknown, Shown = unknown> {
  readonly noun: TriggerNoun;
  /** The kinds of its rows in the database. */
  readonly stored: readonly string[];
  readonly configSchema: z.ZodType<Config>;
  /** Its triggers as the API shows them, in the order of their rows; one that can't be read is left out. */
  readonly describe: (services: Services, rows: readonly TriggerRow[], now: Date) => Promise<Shown[]>;
  /** Left out: it has no times of its own and fires when something arrives. */
  readonly times?: TimesOfKind;
  readonly plan: (trigger: PlannedTrigger) => RunPlan;
  /** Looks whether there is anything to do before a run is started. Left out: there always is. */
  readonly precheck?: (services: Services, trigger: OwnedTrigger, firing: FiringRow, now: Date) => Promise<Precheck>;
  /** What the end of its run means to it, where that is more than the run's answer. */
  readonly settle?: (database: Database, ended: EndedRun) => Promise<SettledRun>;
}

export type PlannedTrigger = Pick<TriggerRow, "id" | "kind" | "config">;

/** A trigger that acts for somebody. */
export interface OwnedTrigger extends TriggerRow {
  readonly ownerId: string;
}

interface TimesOfKind {
  /** The due times past by `now`, from `first` on. */
  readonly dueBy: (trigger: TriggerRow, first: Date, now: Date) => Timing;
  /** Why a due time starts nothing and the trigger sleeps, apart from its owner, agent and key. */
  readonly whyAsleep?: (database: Database, trigger: TriggerRow, now: Date) => Promise<PausedReason | null>;
}

/** Due times, and how late their run may begin. */
export interface Timing {
  readonly due: DueTimes;
  readonly graceMs: number;
  readonly zone: string;
}

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

/** The prompt of the run, or why none is started. */
type Precheck = {
  /** Written to the firing with either. */
  readonly columns: { readonly pauseMs?: number };
  readonly statements: readonly SqlStatement[];
} & ({ readonly prompt: string } | { readonly stoppedBy: string; readonly reason: string });

export interface EndedRun {
  readonly trigger: TriggerRow;
  readonly firing: FiringRow;
  readonly run: {
    readonly id: string;
    readonly threadId: string;
    readonly agentVersionId: string;
    readonly status: string;
    readonly steps: number;
  };
  /** The run's answer; empty for NO_REPLY. */
  readonly text: string;
  readonly now: Date;
}

export interface SettledRun {
  /** What is delivered; null for nothing. */
  readonly said: string | null;
  /** The run has already told its person, with the tool `message`. */
  readonly isTold: boolean;
  readonly statements: readonly SqlStatement[];
}
