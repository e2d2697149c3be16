import type { Hook } from "@/lib/agent/hook";
import { historyHook } from "@/lib/hooks/history";
import type { HistoryReport } from "@/lib/hooks/history/prepare-history";
import { inputGuardHook } from "@/lib/hooks/input-guard";
import type { RunInput } from "./run-input";

/** Hooks that put on the trace what was done with the messages before the run: they can't be switched off. */
export function factHooks({ finding }: RunInput, report: HistoryReport): Hook[] {
  return [finding ? inputGuardHook(finding) : [], historyHook(report) ?? []].flat();
}
