import type { Hook } from "@/lib/agent/hook";
import type { HistoryReport } from "@/lib/context/history/prepare-history";
import { compactedHook, historyHook, noHistoryHook } from "@/lib/hooks/history";
import { inputGuardHook } from "@/lib/hooks/input-guard";
import type { RunInput } from "@/lib/server/engine/run-input";
import type { ModelHistory } from "@/lib/server/engine/transcript/load-model-history";

/** Hooks that put on the trace what was done with the messages before the run: they can't be switched off. */
export function factHooks({ finding, noHistory }: RunInput, report: HistoryReport, stored: ModelHistory): Hook[] {
  const { summary, compactionCount: count, messages } = stored;
  const compacted = summary === null ? [] : compactedHook({ summary, count, firstId: messages[0]?.id ?? null });
  const alone = noHistory ? noHistoryHook() : [];
  return [finding ? inputGuardHook(finding) : [], historyHook(report) ?? [], compacted, alone].flat();
}
