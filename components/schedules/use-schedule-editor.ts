"use client";
import { useQuery } from "@tanstack/react-query";
import { useShell } from "@/components/shell/shell-context";
import { useForm } from "@/lib/client/forms/use-form";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { notificationsQuery } from "@/lib/client/notifications/notification-queries";
import {
  changedFields,
  formOf,
  type ScheduleDefaults,
  type ScheduleForm,
  type ScheduleStart,
  scheduleField,
  scheduleSchema,
} from "@/lib/client/schedules/schedule-form";
import {
  createSchedule,
  preflightQuery,
  runScheduleNow,
  schedulesQuery,
  updateSchedule,
} from "@/lib/client/schedules/schedule-queries";
import { makePageWatcher, SCHEDULE_TEMPLATES } from "@/lib/client/schedules/schedule-templates";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import { DEFAULT_AGENT } from "@/lib/schema/agents/agent-id";
import type { CreateScheduleBody, Schedule } from "@/lib/schema/triggers/schedule";
import type { ScheduleTime } from "@/lib/schema/triggers/schedule-time";

const WATCHER = SCHEDULE_TEMPLATES["watch-page"].agentId;

type Agents = readonly { readonly id: string }[] | undefined;

/** What a new schedule has where nothing was chosen: the agent that answers on a fresh installation, the own zone. */
export function useScheduleDefaults(isNew: boolean, agents: Agents): ScheduleDefaults {
  const zone = useQuery({ ...notificationsQuery, enabled: isNew }).data?.timeZone;
  return {
    agentId: (agents?.find(({ id }) => id === DEFAULT_AGENT) ?? agents?.[0])?.id ?? null,
    timezone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The template's agent may not exist yet: administrators make it with the schedule. */
export function useMissingWatcher(agentId: string | null, agents: Agents) {
  const { viewer } = useShell();
  const isThere = agentId !== WATCHER || (agents?.some(({ id }) => id === WATCHER) ?? false);
  return { isThere, isMissing: agents !== undefined && !isThere, mayMake: viewer.scopes.includes("admin") };
}

interface EditedSchedule {
  /** Null for a new one. */
  readonly schedule: Schedule | null;
  readonly start: ScheduleStart;
  /** What the form is about, for what a reload keeps. */
  readonly subject: string;
}

/** The form of a schedule. A change sends only what was changed. */
export function useScheduleForm(
  { schedule, start, subject }: EditedSchedule,
  defaults: ScheduleDefaults,
  agents: Agents,
) {
  const { go } = useShell();
  const needsWatcher = (agentId: string) => agentId === WATCHER && !agents?.some(({ id }) => id === WATCHER);
  return useForm({
    subject,
    schema: scheduleSchema(schedule, defaults),
    fieldOf: scheduleField,
    initial: formOf(schedule, start),
    save: async (body: CreateScheduleBody, { opened, values }) => {
      if (needsWatcher(body.agentId)) await makePageWatcher();
      if (schedule === null) return createSchedule(body);
      return updateSchedule(
        schedule.id,
        schedule.fromConfig ? { allow: body.allow } : changedFields(values, opened, schedule),
      );
    },
    invalidates: [schedulesQuery.queryKey, AGENTS_KEY],
    onSaved: () => {
      showToast({ title: schedule === null ? "Schedule created" : "Schedule saved" });
      go("/automations/schedules");
    },
  });
}

/** What would ask, and when it would be due. */
export function useCheck(
  { agentId, timezone }: ScheduleForm,
  { schedule, time }: { readonly schedule: Schedule | null; readonly time: ScheduleTime | null },
) {
  const known = schedule === null ? {} : { scheduleId: schedule.id };
  const zone = timezone === null ? {} : { timezone };
  return useQuery(preflightQuery(agentId === null || time === null ? null : { agentId, ...zone, ...time, ...known }));
}

/** It runs as it is saved. */
export function useRunNow(schedule: Schedule | null) {
  return useAction({
    mutationFn: () => runScheduleNow(schedule?.id ?? ""),
    onSuccess: () => showToast({ title: `Started “${schedule?.name ?? ""}”` }),
    invalidates: [schedulesQuery.queryKey],
  });
}
