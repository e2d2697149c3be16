"use client";
import { useEffect, useRef } from "react";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { ScheduleForm } from "./schedule-form";

/** The form as it was typed, kept by the tab. Until something is typed it is what is stored. */
export function useScheduleDraft(key: string, opened: ScheduleForm) {
  const kept = useRemembered(key, ScheduleForm);
  const written = kept.value ?? opened;
  // The field that is checked once typing rests passes its text on later, when others may have changed.
  const latest = useRef({ written, kept });
  useEffect(() => {
    latest.current = { written, kept };
  });
  return {
    written,
    isTyped: kept.value !== null,
    set: (change: Partial<ScheduleForm>) => latest.current.kept.set({ ...latest.current.written, ...change }),
    forget: kept.forget,
  };
}
