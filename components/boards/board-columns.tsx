"use client";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "@/components/ui/states/state-block";
import { Count } from "@/components/ui/tag";
import { COLUMNS, type ColumnId, columnOf, firstColumn } from "@/lib/client/boards/board-labels";
import { type useBoardActions, useCardAsks } from "@/lib/client/boards/use-board-actions";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useSwipe } from "@/lib/client/ui/input/use-swipe";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import { BoardCardView } from "./board-card";
import { BoardFoot } from "./board-foot";

const PAGE_KEYS = [
  { keys: "← →", does: "Previous and next column" },
  { keys: "↑ ↓", does: "Previous and next card" },
  { keys: "Enter", does: "Open the card’s run" },
  { keys: "m ← →", does: "Move the card" },
  { keys: "a", does: "Add a card" },
  { keys: "y n", does: "Accept, send back; allow once, deny" },
  { keys: "⇧S", does: "Stop all" },
] as const;

interface ColumnsProps {
  board: Board;
  mayChange: boolean;
  actions: ReturnType<typeof useBoardActions>;
  onAdd: () => void;
  onEdit: (card: BoardCard) => void;
  onStop: () => void;
}

/** The board's cards in five columns, one at a time on a phone; worked by keys. */
export function BoardColumns({ board, mayChange, actions, onAdd, onEdit, onStop }: ColumnsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ColumnId>(() => firstColumn(board.tasks));
  const [movingId, setMovingId] = useState<string | null>(null);
  const asks = useCardAsks(board);
  const byColumn = new Map(COLUMNS.map(({ id }) => [id, board.tasks.filter((card) => columnOf(card) === id)]));
  const focused = (): BoardCard | undefined => {
    const item = document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-card]");
    return board.tasks.find(({ id }) => id === item?.dataset.card);
  };
  const focus = (card: BoardCard | undefined) => {
    if (!card) return;
    setShown(columnOf(card));
    requestAnimationFrame(() =>
      place.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(card.id)}"]`)?.focus(),
    );
  };
  const swipe = useSwipe((by) => {
    const at = COLUMNS.findIndex(({ id }) => id === shown);
    setShown(COLUMNS[Math.min(COLUMNS.length - 1, Math.max(0, at + by))]?.id ?? shown);
  });
  const step = (by: number) => {
    const card = focused();
    if (!card) return focus(board.tasks[0]);
    const cards = byColumn.get(columnOf(card)) ?? [];
    focus(cards[Math.min(cards.length - 1, Math.max(0, cards.indexOf(card) + by))]);
  };
  const turn = (direction: "left" | "right") => {
    const card = focused();
    const moving = board.tasks.find(({ id }) => id === movingId);
    if (moving) {
      setMovingId(null);
      return actions.move(moving, direction);
    }
    if (!card) return focus(board.tasks[0]);
    const at = COLUMNS.findIndex(({ id }) => id === columnOf(card));
    const row = (byColumn.get(columnOf(card)) ?? []).indexOf(card);
    const rest = direction === "right" ? COLUMNS.slice(at + 1) : COLUMNS.slice(0, at).toReversed();
    const next = rest.map(({ id }) => byColumn.get(id) ?? []).find((cards) => cards.length > 0);
    focus(next?.[Math.min(row, next.length - 1)]);
  };
  const answer = (isYes: boolean) => {
    const card = focused();
    if (!card || !mayChange) return;
    const ask = asks.get(card.runId ?? "");
    if (card.status === "review") return isYes ? actions.accept(card) : actions.sendBack(card);
    if (card.status === "needs_you" && ask) return actions.decide(ask, isYes ? "allow" : "deny");
  };
  usePageKeys(PAGE_KEYS);
  useShortcuts({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowLeft: () => turn("left"),
    ArrowRight: () => turn("right"),
    m: () => {
      const card = mayChange ? focused() : undefined;
      if (!card) return;
      setMovingId(card.id);
      actions.say(`Moving card ${card.number}. Press the left or right arrow.`);
    },
    Escape: () => setMovingId(null),
    a: () => mayChange && onAdd(),
    y: () => answer(true),
    n: () => answer(false),
    S: () => mayChange && (board.state === "running" || board.state === "waiting") && onStop(),
  });
  if (board.tasks.length === 0) return <NoCards board={board} mayChange={mayChange} onAdd={onAdd} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PhoneTabs counts={byColumn} shown={shown} onShow={setShown} />
      <div ref={place} {...swipe} className="flex min-h-0 flex-1 max-md:bg-sunken">
        {COLUMNS.map(({ id, name }) => {
          const cards = byColumn.get(id) ?? [];
          return (
            <section
              key={id}
              aria-label={name}
              className={classNames(
                "flex min-h-0 min-w-0 flex-1 flex-col border-r border-border last:border-r-0 max-md:border-r-0",
                shown !== id && "max-md:hidden",
              )}
            >
              <h2 className="flex h-9 shrink-0 items-center gap-1.5 px-3 text-xs font-medium max-md:sr-only">
                {name} <Count signal={id === "needs_you" && cards.length > 0}>{cards.length}</Count>
              </h2>
              <ul className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto px-2 pb-3 max-md:touch-pan-y max-md:p-3">
                {cards.map((card) => (
                  <BoardCardView
                    key={card.id}
                    card={card}
                    board={board}
                    ask={asks.get(card.runId ?? "")}
                    mayChange={mayChange}
                    isMoving={movingId === card.id}
                    actions={actions}
                    onEdit={onEdit}
                  />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <p aria-hidden className="flex h-7 shrink-0 items-center justify-center gap-1.5 bg-sunken md:hidden">
        {COLUMNS.map(({ id }) => (
          <span
            key={id}
            className={classNames("size-1.5 rounded-full", id === shown ? "bg-foreground" : "bg-border-strong")}
          />
        ))}
      </p>
      <BoardFoot changedAt={board.updatedAt} />
    </div>
  );
}

interface PhoneTabsProps {
  counts: ReadonlyMap<ColumnId, readonly BoardCard[]>;
  shown: ColumnId;
  onShow: (id: ColumnId) => void;
}

/** One column at a time. */
function PhoneTabs({ counts, shown, onShow }: PhoneTabsProps) {
  return (
    <nav
      aria-label="Columns"
      className="flex shrink-0 justify-between overflow-x-auto border-b border-border px-1 md:hidden"
    >
      {COLUMNS.map(({ id, name }) => {
        const count = counts.get(id)?.length ?? 0;
        return (
          <button
            key={id}
            type="button"
            aria-pressed={shown === id}
            onClick={() => onShow(id)}
            className="flex h-11 shrink-0 items-center gap-1 border-b-2 border-transparent px-1.5 text-sm text-muted aria-pressed:border-foreground aria-pressed:text-foreground"
          >
            {name} <Count signal={id === "needs_you" && count > 0}>{count}</Count>
          </button>
        );
      })}
    </nav>
  );
}

const NO_CARDS = {
  planning: {
    title: "The lead is reading TEAM.md and will write the cards",
    text: "They appear here as it writes them.",
  },
  unplanned: {
    title: "The lead wrote no cards",
    text: "Its thread says why. Tell it there what is missing, or write the first card yourself.",
  },
  none: { title: "No cards yet", text: "Write the first one: a member takes it at once." },
} as const;

function stageOf({ lead, leadThreadId, state }: Board): keyof typeof NO_CARDS {
  if (lead !== null && state === "running") return "planning";
  return state === "idle" && leadThreadId !== null ? "unplanned" : "none";
}

function NoCards({ board, mayChange, onAdd }: Pick<ColumnsProps, "board" | "mayChange" | "onAdd">) {
  const stage = stageOf(board);
  const { title, text } = NO_CARDS[stage];
  return (
    <div className="min-w-0 flex-1">
      <EmptyState
        title={title}
        actions={
          <>
            {stage === "unplanned" ? (
              <LinkButton href={`/threads/${encodeURIComponent(board.leadThreadId ?? "")}`}>
                Open the lead’s thread
              </LinkButton>
            ) : null}
            {mayChange ? (
              <Button variant={stage === "planning" ? "outline" : "primary"} onPress={onAdd}>
                <Plus aria-hidden />
                Add card
              </Button>
            ) : null}
          </>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
