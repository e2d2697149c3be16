import { StepDot } from "@/components/ui/step";
import { Time } from "@/components/ui/time";
import type { ApprovalData } from "@/lib/schema/ui-message";
import { ArgumentsBlock } from "./asked-call";

/** What a person has decided about a call that has gone on since. */
export function ApprovalDecision({ approval }: { approval: ApprovalData }) {
  return (
    <div className="border-t border-separator text-xs text-muted">
      <p className="flex flex-wrap items-center gap-x-2 px-3 py-1.5">
        <span className="[&>span]:block [&>span]:bg-signal-mark">
          <StepDot />
        </span>
        <span>{decisionText(approval)}</span>
        {approval.decidedAtMs === undefined ? null : <Time at={approval.decidedAtMs} className="tnum text-subtle" />}
      </p>
      {approval.note ? <p className="px-3 pb-1.5 break-words whitespace-pre-wrap">“{approval.note}”</p> : null}
      {approval.status === "edited" ? (
        <details>
          <summary className="cursor-default px-3 pb-1.5 hover:text-foreground">What the model had asked for</summary>
          <ArgumentsBlock args={approval.args} />
        </details>
      ) : null}
    </div>
  );
}

/** "Nobody answered" stays true whether it was another message, Stop or the end of the run. */
function decisionText({ status, scope }: ApprovalData): string {
  const where = scope === "thread" ? ", and this exact call from now on in this thread" : " once";
  switch (status) {
    case "approved":
      return `Allowed${where}`;
    case "edited":
      return `Edited, then allowed${where}`;
    case "denied":
      return "Denied";
    case "declined":
      return "Declined by a new message or a stop: nobody answered";
    case "requested":
    case "pending":
      return "Waits for a decision";
  }
}
