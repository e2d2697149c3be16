"use client";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { ScheduleForm } from "./schedule-form";

/** The form as it was typed, kept by the tab. Until something is typed it is what is stored. */
export function useScheduleDraft(key: string, opened: ScheduleForm) {
  const kept = useRemembered(key, ScheduleForm);
  const written = kept.value ?? opened;
  return {
    written,
    isTyped: kept.value !== null,
    set: (change: Partial<ScheduleForm>) => kept.set({ ...written, ...change }),
    forget: kept.forget,
  };
}
