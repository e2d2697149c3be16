import type { ReactNode } from "react";
import { StepDot } from "@/components/ui/states/step";
import { Time } from "@/components/ui/time";
import { deciderText } from "@/lib/client/chat/asks/interrupt-labels";
import type { ApprovalData, BudgetData, QuestionData } from "@/lib/schema/messages/ui-message";

export interface DecisionLineProps {
  decided: Pick<ApprovalData | QuestionData | BudgetData, "decidedBy" | "decidedVia" | "decidedAtMs">;
  children: ReactNode;
}

/** A person's decision: who made it, through which page and when; the dot is brass because a person did it. */
export function DecisionLine({ decided, children }: DecisionLineProps) {
  const { decidedAtMs } = decided;
  const who = deciderText(decided);
  return (
    <p className="flex items-baseline gap-x-2">
      <span className="relative -top-0.5 shrink-0 [&>span]:block [&>span]:bg-signal-mark">
        <StepDot />
      </span>
      <span className="min-w-0 break-words">
        {children}
        {who === "" ? "" : ` ${who}`}
        {decidedAtMs === undefined ? null : (
          <>
            {" "}
            · <Time at={decidedAtMs} className="tnum" />
          </>
        )}
      </span>
    </p>
  );
}
