import type { Hook } from "@/lib/agent/hook";
import { compactedHook, historyHook, noHistoryHook } from "@/lib/hooks/history";
import type { HistoryReport } from "@/lib/hooks/history/prepare-history";
import { inputGuardHook } from "@/lib/hooks/input-guard";
import type { ModelHistory } from "../threads/load-model-history";
import type { RunInput } from "./run-input";

/** Hooks that put on the trace what was done with the messages before the run: they can't be switched off. */
export function factHooks({ finding, noHistory }: RunInput, report: HistoryReport, stored: ModelHistory): Hook[] {
  const { summary, compactionCount: count, messages } = stored;
  const compacted = summary === null ? [] : compactedHook({ summary, count, firstId: messages[0]?.id ?? null });
  const alone = noHistory ? noHistoryHook() : [];
  return [finding ? inputGuardHook(finding) : [], historyHook(report) ?? [], compacted, alone].flat();
}
