import { ArgumentsBlock } from "@/components/ui/code/arguments-block";
import { approvalText } from "@/lib/client/chat/asks/interrupt-labels";
import type { ApprovalData } from "@/lib/schema/messages/ui-message";
import { DecisionLine } from "./decision-line";

/** The decision on a call, and where it ran. */
export function ApprovalDecision({ approval }: { approval: ApprovalData }) {
  const { status, runsIn, note, args } = approval;
  const hasRun = status === "approved" || status === "edited";
  return (
    <div className="border-t border-separator text-xs text-muted">
      <div className="px-3 py-1.5">
        <DecisionLine decided={approval}>{approvalText(approval)}</DecisionLine>
        {hasRun && runsIn !== undefined ? <p className="pl-3.5 break-words">Runs on {runsIn}</p> : null}
        {note ? <p className="pl-3.5 break-words whitespace-pre-wrap">“{note}”</p> : null}
      </div>
      {status === "edited" ? (
        <details>
          <summary className="cursor-default px-3 pb-1.5 touch-row hover:text-foreground">
            What the model asked for
          </summary>
          <ArgumentsBlock args={args} />
        </details>
      ) : null}
    </div>
  );
}
