"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useShell } from "@/components/shell/shell-context";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import type { ScheduleForm, toFields } from "@/lib/client/schedules/schedule-form";
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
import type { Schedule } from "@/lib/schema/triggers/schedule";
import type { ScheduleTime } from "@/lib/schema/triggers/time-words";

const WATCHER = SCHEDULE_TEMPLATES["watch-page"].agentId;

/** The template's agent may not exist yet: administrators make it with the schedule. */
export function useMissingWatcher(agentId: string | null, agents: readonly { readonly id: string }[] | undefined) {
  const { viewer } = useShell();
  const isThere = agentId !== WATCHER || (agents?.some(({ id }) => id === WATCHER) ?? false);
  return { isThere, isMissing: agents !== undefined && !isThere, mayMake: viewer.scopes.includes("admin") };
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

interface Written {
  readonly agentId: string | null;
  readonly fields: ReturnType<typeof toFields>;
  /** Null for a new one. */
  readonly changes: Partial<ReturnType<typeof toFields>> | null;
}

export function useSave(schedule: Schedule | null, makesWatcher: boolean, forget: () => void) {
  const queryClient = useQueryClient();
  const { go } = useShell();
  return useMutation({
    mutationFn: async ({ agentId, fields, changes }: Written) => {
      if (makesWatcher) await makePageWatcher();
      if (schedule === null) return createSchedule({ agentId: agentId ?? "", ...fields });
      return updateSchedule(schedule.id, schedule.fromConfig ? { allow: fields.allow } : (changes ?? {}));
    },
    onSuccess: () => {
      forget();
      showToast({ title: schedule === null ? "Schedule created" : "Schedule saved" });
      void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey });
      if (makesWatcher) void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      go("/automations/schedules");
    },
  });
}

/** It runs as it is saved. */
export function useRunNow(schedule: Schedule | null) {
  return useAction({
    mutationFn: () => runScheduleNow(schedule?.id ?? ""),
    onSuccess: () => showToast({ title: `Started “${schedule?.name ?? ""}”` }),
    invalidates: [schedulesQuery.queryKey],
  });
}

/** By field, as the server refused them. */
export function problemsIn(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiError ? error.problems : new Map();
}
