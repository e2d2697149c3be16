"use client";
import { useState } from "react";
import type { RunStatus } from "@/lib/schema/runs/run";

const STATUS_LABELS: Partial<Record<RunStatus, string>> = {
  running: "The agent is working",
  completed: "The reply is complete",
  failed: "The run failed",
  cancelled: "The run was stopped",
  limit: "The run reached a limit",
  interrupted: "The run was interrupted",
};

/** Announces the run's beginning and end to screen readers: once each, never while words are streaming. */
export function useRunAnnouncement(status: RunStatus | null): string {
  const [last, setLast] = useState({ status, words: "" });
  if (last.status !== status) {
    const next = { status, words: status === null ? "" : (STATUS_LABELS[status] ?? "") };
    setLast(next);
    return next.words;
  }
  return last.words;
}
