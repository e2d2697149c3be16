import type { Hook } from "@/lib/agent/hooks/hook";
import { compactedHook, historyHook, noHistoryHook } from "@/lib/hooks/history";
import { inputGuardHook } from "@/lib/hooks/input-guard";
import type { HistoryContext } from "@/lib/server/engine/ports";

/** Hooks that record on the trace how the messages before the run were processed; they can't be disabled. */
export function historyHooks({ input: { finding, noHistory }, stored, report }: HistoryContext): Hook[] {
  const { summary, compactionCount } = stored;
  const compacted = summary === null ? [] : compactedHook(compactionCount);
  const alone = noHistory ? noHistoryHook() : [];
  return [finding ? inputGuardHook(finding) : [], historyHook(report) ?? [], compacted, alone].flat();
}
