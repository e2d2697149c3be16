"use client";
import { useId, useState } from "react";
import { StateRing } from "@/components/ui/state-ring";
import { formatDuration } from "@/lib/client/format";
import { runGist } from "@/lib/client/tool-gist";
import { callStatus } from "@/lib/client/tool-status";
import type { ToolCallView } from "@/lib/client/transcript-steps";
import { FoldedLine } from "./folded-line";
import { ToolBody } from "./tool-body";
import { ToolHead } from "./tool-card";

/** Calls that only looked at things, folded into one line with count, names, failures and time. */
export function ToolRun({ calls }: { calls: readonly ToolCallView[] }) {
  const failed = calls.filter((call) => callStatus(call) === "failed").length;
  const tookMs = calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0);
  return (
    <FoldedLine
      title={`${calls.length} tool calls`}
      badge={failed > 0 ? <span className="shrink-0 text-fail-text">{failed} failed</span> : null}
      gist={<span className="font-mono text-xs">{runGist(calls)}</span>}
      fact={formatDuration(tookMs)}
    >
      <ul className="mt-1 overflow-hidden rounded-lg border border-border bg-surface">
        {calls.map((call) => (
          <FoldedCall key={call.id} call={call} />
        ))}
      </ul>
    </FoldedLine>
  );
}

function FoldedCall({ call }: { call: ToolCallView }) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <li className="border-b border-separator last:border-b-0">
      <div className="flex min-h-8 items-center pr-2.5 pl-2.5">
        <StateRing status={callStatus(call)} size={12} labelled />
        <ToolHead call={call} isOpen={isOpen} bodyId={bodyId} onToggle={() => setOpen(!isOpen)} />
      </div>
      {isOpen ? (
        <div id={bodyId} className="border-t border-separator">
          <ToolBody call={call} />
        </div>
      ) : null}
    </li>
  );
}
