import { budgetShare, reservedShare } from "@/lib/client/boards/board-labels";
import type { BoardSummary } from "@/lib/schema/boards/board";

/**
 * How much of the budget is spent and, paler, reserved for calls under way; nothing for a board without one. Decorative,
 * because the numbers are next to it.
 */
export function BudgetRing({ board, size }: { board: BoardSummary; size: number }) {
  const share = budgetShare(board);
  if (share === null) return null;
  const reserved = reservedShare(board);
  const radius = 7.25;
  const around = 2 * Math.PI * radius;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      strokeWidth="2.5"
      aria-hidden
      className={`shrink-0 ${share < 1 ? "text-foreground" : "text-limit"}`}
    >
      <circle cx="9" cy="9" r={radius} className="stroke-default" />
      {reserved === 0 ? null : (
        <circle
          cx="9"
          cy="9"
          r={radius}
          className="stroke-halted"
          strokeDasharray={`${(share + reserved) * around} ${around}`}
          transform="rotate(-90 9 9)"
        />
      )}
      <circle
        cx="9"
        cy="9"
        r={radius}
        stroke="currentColor"
        strokeDasharray={`${share * around} ${around}`}
        transform="rotate(-90 9 9)"
      />
    </svg>
  );
}
