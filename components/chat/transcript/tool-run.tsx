"use client";
import { useId } from "react";
import { FoldedLine } from "@/components/chat/transcript/lines/folded-line";
import { StateRing } from "@/components/ui/states/state-ring";
import { callKey } from "@/lib/client/chat/asks/use-decisions";
import { callStatus, runGist } from "@/lib/client/chat/tool-status";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { useAnyRemembered } from "@/lib/client/ui/use-remembered";
import { formatDuration } from "@/lib/schema/format-duration";
import { LazyToolBody, openKey, ToolHead, useOpenCall } from "./tool-card";

export interface ToolRunProps {
  runId: string;
  calls: readonly ToolCallView[];
  traceHref: string | null;
}

/**
 * Read-only calls, folded into one line with count, names, failures and time. Not folded if a person had opened one of
 * them as a card.
 */
export function ToolRun({ runId, calls, traceHref }: ToolRunProps) {
  const hasOpened = useAnyRemembered(calls.map((call) => openKey(runId, call.id)));
  const failed = calls.filter((call) => callStatus(call) === "failed").length;
  const tookMs = calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0);
  return (
    <FoldedLine
      memory={callKey(runId, calls[0]?.id ?? "")}
      isOpenAtFirst={hasOpened}
      title={`${calls.length} tool calls`}
      badge={failed > 0 ? <span className="shrink-0 text-fail-text">{failed} failed</span> : null}
      gist={<span className="font-mono text-xs">{runGist(calls)}</span>}
      fact={formatDuration(tookMs)}
    >
      <ul className="mt-1 overflow-hidden rounded-lg border border-border bg-surface">
        {calls.map((call) => (
          <FoldedCall key={call.id} runId={runId} call={call} traceHref={traceHref} />
        ))}
      </ul>
    </FoldedLine>
  );
}

interface FoldedCallProps {
  runId: string;
  call: ToolCallView;
  traceHref: string | null;
}

function FoldedCall({ runId, call, traceHref }: FoldedCallProps) {
  const chosen = useOpenCall(runId, call.id);
  const isOpen = chosen.value ?? false;
  const bodyId = useId();
  return (
    <li className="border-b border-separator last:border-b-0">
      <div className="flex min-h-8 items-center pr-2.5 pl-2.5">
        <StateRing status={callStatus(call)} size={12} labelled />
        <ToolHead call={call} isOpen={isOpen} bodyId={bodyId} onToggle={() => chosen.set(!isOpen)} />
      </div>
      {isOpen ? (
        <div id={bodyId} className="border-t border-separator">
          <LazyToolBody call={call} traceHref={traceHref} />
        </div>
      ) : null}
    </li>
  );
}
