import { formatMoney, formatTokens } from "@/lib/client/ui/text/format";
import type { Board, BoardCard, BoardSummary } from "@/lib/schema/boards/board";
import type { RunStatus } from "@/lib/schema/runs/run";

export const COLUMNS = [
  { id: "todo", name: "To do" },
  { id: "working", name: "Working" },
  { id: "needs_you", name: "Waiting for you" },
  { id: "review", name: "Review" },
  { id: "done", name: "Done" },
] as const;
export type ColumnId = (typeof COLUMNS)[number]["id"];

/** A failed card stays in the column where it failed. */
export function columnOf({ status }: Pick<BoardCard, "status">): ColumnId {
  return status === "failed" ? "working" : status;
}

/** Where a phone begins: the work, or the first column that has cards. */
export function firstColumn(cards: readonly Pick<BoardCard, "status">[]): ColumnId {
  const has = (id: ColumnId) => cards.some((card) => columnOf(card) === id);
  return has("working") ? "working" : (COLUMNS.find(({ id }) => has(id))?.id ?? "todo");
}

/** An agent's name; its id if it is no longer in the team. */
export function memberName({ team }: Pick<Board, "team">, agentId: string): string {
  return team.find((member) => member.agentId === agentId)?.name ?? agentId;
}

const STATES: Readonly<Record<BoardSummary["state"], { readonly ring: RunStatus; readonly word: string }>> = {
  running: { ring: "running", word: "Running" },
  waiting: { ring: "waiting", word: "Waiting" },
  stopped: { ring: "cancelled", word: "Stopped" },
  idle: { ring: "completed", word: "Done" },
};

/** A board's state, in one word. */
export function stateOf({ state, counts }: Pick<BoardSummary, "state" | "counts">) {
  return state === "idle" && counts.done === 0 ? ({ ring: "queued", word: "No cards yet" } as const) : STATES[state];
}

/** "3 of 10 done". */
export function doneText({ counts }: Pick<BoardSummary, "counts">): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return all === 0 ? "No cards yet" : `${counts.done} of ${all} done`;
}

/** "Woken by 2 results and 1 question." */
export function wokenText({ woken }: Pick<Board, "woken">): string {
  const causes = [
    [woken.results, "result"],
    [woken.questions, "question"],
    [woken.failures, "failure"],
  ] as const;
  const counted = causes
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`);
  return counted.length === 0 ? "Not woken yet." : `Woken by ${LIST.format(counted)}.`;
}

const LIST = new Intl.ListFormat("en");

/** "$1.24 of $5, $0.14 reserved". */
export function spentText({ budget, used, reserved, added }: BoardSummary): string {
  const cap = budget.usd === null ? "" : ` of ${formatMoney(budget.usd + added.usd)}`;
  const tokens =
    budget.tokens === null
      ? ""
      : `, ${formatTokens(used.tokens)} of ${formatTokens(budget.tokens + added.tokens)} tokens`;
  const held = reserved.usd > 0 ? `, ${formatMoney(reserved.usd)} reserved` : "";
  return `${formatMoney(used.usd)}${cap}${tokens}${held}`;
}

/** Which part of its money budget the board has spent, at most 1; null without one. */
export function budgetShare({ budget, used, added }: BoardSummary): number | null {
  if (budget.usd === null) return null;
  const cap = budget.usd + added.usd;
  return cap === 0 ? 1 : Math.min(1, used.usd / cap);
}

/** Which further part is reserved for calls under way; at most what is left. */
export function reservedShare(board: BoardSummary): number {
  const spent = budgetShare(board);
  if (spent === null || board.budget.usd === null) return 0;
  const cap = board.budget.usd + board.added.usd;
  return cap === 0 ? 0 : Math.min(1 - spent, board.reserved.usd / cap);
}

/** "plan: 2 of 5 done"; counts the cards where the lead wrote no plan. */
export function planText(board: Board): string {
  const { plan } = board;
  if (plan.length === 0) return doneText(board);
  return `plan: ${plan.filter(({ status }) => status === "done").length} of ${plan.length} done`;
}

/** "after 4 and 5". */
export function afterText({ dependsOn }: BoardCard, cards: readonly BoardCard[]): string | null {
  const numbers = dependsOn.flatMap((id) => cards.find((card) => card.id === id)?.number ?? []);
  if (numbers.length === 0) return null;
  return `after ${numbers.length === 1 ? numbers[0] : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`}`;
}

const MEMBER_LABELS: Readonly<Record<Board["team"][number]["state"], string>> = {
  idle: "idle, costs nothing",
  working: "works on",
  reviewing: "reviews",
  asks: "asks in",
  gone: "is no longer available to you",
};

export function memberText({ state, cardNumber, isLead }: Board["team"][number]): string {
  const word = cardNumber === null && state === "working" ? "plans" : MEMBER_LABELS[state];
  const what = cardNumber === null ? word : `${word} ${cardNumber}`;
  return isLead ? `lead, ${what}` : what;
}

/** The member that may take the card now: its assignee, or the first idle member. */
function takerOf(board: Board, card: BoardCard): string | null {
  const idle = board.team.filter(({ agentId, state }) => state === "idle" && board.members.includes(agentId));
  return idle.find(({ agentId }) => card.assignee === null || card.assignee === agentId)?.agentId ?? null;
}

/** The effect of moving a card left or right; a refusal says why. */
export type CardMove =
  | { readonly kind: "claim"; readonly by: string }
  | { readonly kind: "give_back" | "accept" | "send_back" | "answer" }
  | { readonly kind: "refused"; readonly why: string };

export function moveOf(board: Board, card: BoardCard, direction: "left" | "right"): CardMove {
  const refused = (why: string): CardMove => ({ kind: "refused", why });
  const isRight = direction === "right";
  switch (card.status) {
    case "todo": {
      if (!isRight) return refused("It is in the first column.");
      if (board.state === "stopped") return refused("The board is stopped. Start it again first.");
      const by = takerOf(board, card);
      return by === null ? refused("No member is free to take it.") : { kind: "claim", by };
    }
    case "working":
      return isRight ? refused("It moves by itself when its run ends with a result.") : { kind: "give_back" };
    case "failed":
      return isRight ? refused("It failed. Try it again, or give it back.") : { kind: "give_back" };
    case "needs_you":
      if (isRight) return refused("It waits for an answer first.");
      return card.asks === "lead" ? { kind: "answer" } : { kind: "give_back" };
    case "review":
      return { kind: isRight ? "accept" : "send_back" };
    default:
      return refused("Finished work stays.");
  }
}
