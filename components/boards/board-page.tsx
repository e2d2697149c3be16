"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Settings2, Square, Users, X } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { ConfirmDialog, Sheet } from "@/components/ui/overlays/dialog";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Count } from "@/components/ui/tag";
import { boardQuery, deleteBoard } from "@/lib/client/boards/board-queries";
import { COLUMNS, type ColumnId, columnOf, doneText, spentText, stateOf } from "@/lib/client/boards/board-words";
import { type CardNote, useBoardActions, useCardAsks } from "@/lib/client/boards/use-board-actions";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { errorFacts } from "@/lib/client/http/error-facts";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import { BoardCardView } from "./board-card";
import { TeamPanel } from "./team-panel";

const CardDialog = dynamic(() => import("./card-dialogs").then((module) => module.CardDialog), { loading: () => null });
const NoteDialog = dynamic(() => import("./card-dialogs").then((module) => module.NoteDialog), { loading: () => null });
const BoardDialog = dynamic(() => import("./board-dialog").then((module) => module.BoardDialog), {
  loading: () => null,
});

const PAGE_KEYS = [
  { keys: "← →", does: "Previous and next column" },
  { keys: "↑ ↓", does: "Previous and next card" },
  { keys: "Enter", does: "Open the card’s run" },
  { keys: "m ← →", does: "Move the card" },
  { keys: "a", does: "Add a card" },
  { keys: "y n", does: "Accept, send back; allow once, deny" },
  { keys: "⇧S", does: "Stop all" },
] as const;

type Dialog =
  | { readonly kind: "card"; readonly card: BoardCard | null }
  | { readonly kind: "board" | "stop" | "delete" };

/** A team at work: columns of cards that move automatically, each with its run. */
export function BoardPage({ id }: { id: string }) {
  const { viewer } = useShell();
  const { push } = useRouter();
  const query = useQuery(boardQuery(id));
  const board = query.data;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [note, setNote] = useState<CardNote | null>(null);
  const [isTeamOpen, setTeamOpen] = useState(false);
  const mayChange = viewer.scopes.includes("chat");
  const actions = useBoardActions(board, setNote);
  const remove = async () => {
    try {
      await deleteBoard(id);
      push("/boards");
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
  };
  const close = () => setDialog(null);
  if (!board) {
    return (
      <main className="flex min-w-0 flex-1 flex-col bg-surface">
        <PageHead title="Board" />
        <Unread query={query} />
      </main>
    );
  }
  const working = board.counts.working;
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <p role="status" className="sr-only">
        {actions.said}
      </p>
      <BoardHead
        board={board}
        mayChange={mayChange}
        onAdd={() => setDialog({ kind: "card", card: null })}
        onStop={() => setDialog({ kind: "stop" })}
        onStart={actions.start}
        onTeam={() => setTeamOpen(true)}
      />
      <div className="flex min-h-0 flex-1">
        <Columns
          board={board}
          mayChange={mayChange}
          actions={actions}
          onAdd={() => setDialog({ kind: "card", card: null })}
          onEdit={(card) => setDialog({ kind: "card", card })}
          onStop={() => setDialog({ kind: "stop" })}
        />
        <aside
          aria-label="Team"
          className="w-[264px] shrink-0 overflow-auto border-l border-border bg-background max-xl:hidden"
        >
          <TeamPanel board={board} onChange={mayChange ? () => setDialog({ kind: "board" }) : null} />
        </aside>
      </div>
      <Sheet label="Team" isOpen={isTeamOpen} onClose={() => setTeamOpen(false)}>
        <header className="flex h-12 shrink-0 items-center border-b border-border pr-2 pl-4">
          <h2 className="flex-1 text-sm font-semibold">Team</h2>
          <IconButton label="Close" onPress={() => setTeamOpen(false)}>
            <X />
          </IconButton>
        </header>
        <div className="min-h-0 flex-1 overflow-auto">
          <TeamPanel board={board} onChange={mayChange ? () => setDialog({ kind: "board" }) : null} />
          {mayChange ? (
            <p className="flex gap-2 px-4 py-3">
              <Button
                className="sm:hidden"
                onPress={() => {
                  setTeamOpen(false);
                  setDialog({ kind: "card", card: null });
                }}
              >
                Add card
              </Button>
              <Button variant="danger-ghost" onPress={() => setDialog({ kind: "delete" })}>
                Delete board
              </Button>
            </p>
          ) : null}
        </div>
      </Sheet>
      {dialog?.kind === "card" ? <CardDialog board={board} card={dialog.card} onClose={close} /> : null}
      {dialog?.kind === "board" ? <BoardDialog board={board} onClose={close} /> : null}
      {note === null ? null : <NoteDialog boardId={id} note={note} onClose={() => setNote(null)} />}
      <ConfirmDialog
        title={
          working === 0 ? "Stop the board?" : `Stop ${working === 1 ? "1 running card" : `${working} running cards`}?`
        }
        confirmLabel="Stop all"
        isOpen={dialog?.kind === "stop"}
        onConfirm={() => {
          actions.stop();
          close();
        }}
        onClose={close}
      >
        Finished work stays. No card starts until you start the board again.
      </ConfirmDialog>
      <ConfirmDialog
        title={`Delete “${board.name}”?`}
        confirmLabel="Delete board"
        isOpen={dialog?.kind === "delete"}
        onConfirm={() => void remove()}
        onClose={close}
      >
        Its runs are stopped. Its cards, threads and shared files are deleted.
      </ConfirmDialog>
    </main>
  );
}

function Unread({ query }: { query: { isPending: boolean; error: unknown; refetch: () => unknown } }) {
  if (query.isPending) return <SkeletonList label="Loading the board" rows={8} className="p-2" />;
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <NotFoundState what="board" listHref="/boards">
        It was deleted, or it is another person’s.
      </NotFoundState>
    );
  }
  const { message, ...facts } = errorFacts(query.error);
  return (
    <ErrorState
      title="The board could not be loaded. Its runs continue."
      {...facts}
      onRetry={() => void query.refetch()}
    >
      {message}
    </ErrorState>
  );
}

interface BoardHeadProps {
  board: Board;
  mayChange: boolean;
  onAdd: () => void;
  onStop: () => void;
  onStart: () => void;
  onTeam: () => void;
}

function BoardHead({ board, mayChange, onAdd, onStop, onStart, onTeam }: BoardHeadProps) {
  const { ring, word } = stateOf(board);
  const needs = board.counts.needs_you;
  return (
    <PageHead
      title={
        <span className="flex min-w-0 items-center gap-2">
          <Link href="/boards" className="font-normal text-muted hover:underline max-sm:hidden">
            Boards
          </Link>
          <span aria-hidden className="font-normal text-muted max-sm:hidden">
            /
          </span>
          <span className="truncate">{board.name}</span>
        </span>
      }
      facts={
        <>
          <StateChip status={ring} word={word} />
          {needs > 0 ? <StateChip status="waiting" word={`Needs you ${needs}`} className="max-sm:hidden" /> : null}
          <span className="tnum text-xs text-muted max-lg:hidden">{doneText(board)}</span>
          {board.stoppedReason === null ? null : (
            <span className="truncate text-xs text-fail-text max-lg:hidden">{board.stoppedReason}</span>
          )}
        </>
      }
      actions={
        <>
          <span className="tnum text-xs text-muted max-lg:hidden">{spentText(board)}</span>
          {mayChange ? (
            <>
              <Button onPress={onAdd} className="max-sm:hidden">
                <Plus aria-hidden />
                Add card
              </Button>
              {board.state === "stopped" ? (
                <Button variant="primary" onPress={onStart}>
                  Start again
                </Button>
              ) : (
                <Button variant="danger-ghost" onPress={onStop}>
                  <Square aria-hidden />
                  Stop all
                </Button>
              )}
            </>
          ) : null}
          <IconButton label="Team and settings" onPress={onTeam}>
            <Users className="xl:hidden" />
            <Settings2 className="max-xl:hidden" />
          </IconButton>
        </>
      }
    />
  );
}

interface ColumnsProps {
  board: Board;
  mayChange: boolean;
  actions: ReturnType<typeof useBoardActions>;
  onAdd: () => void;
  onEdit: (card: BoardCard) => void;
  onStop: () => void;
}

function Columns({ board, mayChange, actions, onAdd, onEdit, onStop }: ColumnsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ColumnId>("working");
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
    S: () => mayChange && board.state !== "stopped" && onStop(),
  });
  if (board.tasks.length === 0) return <NoCards board={board} mayChange={mayChange} onAdd={onAdd} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PhoneTabs counts={byColumn} shown={shown} onShow={setShown} />
      <div ref={place} className="flex min-h-0 flex-1">
        {COLUMNS.map(({ id, name }) => {
          const cards = byColumn.get(id) ?? [];
          return (
            <section
              key={id}
              aria-label={name}
              className={classNames(
                "flex min-h-0 min-w-0 flex-1 flex-col border-r border-border last:border-r-0",
                shown !== id && "max-md:hidden",
              )}
            >
              <h2 className="flex h-9 shrink-0 items-center gap-1.5 px-3 text-xs font-medium max-md:sr-only">
                {name} <Count signal={id === "needs_you" && cards.length > 0}>{cards.length}</Count>
              </h2>
              <ul className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto px-2 pb-3 max-md:p-3">
                {cards.map((card) => (
                  <BoardCardView
                    key={card.id}
                    card={card}
                    cards={board.tasks}
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
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-border px-4 text-xs text-muted max-lg:hidden">
        <KeyHint keys={["←", "→"]}>column</KeyHint>
        <KeyHint keys={["↑", "↓"]}>card</KeyHint>
        <KeyHint keys={["Enter"]}>opens its run</KeyHint>
        <KeyHint keys={["m"]}>moves it</KeyHint>
      </footer>
    </div>
  );
}

function KeyHint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {children}
    </span>
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
    <nav aria-label="Columns" className="flex shrink-0 overflow-x-auto border-b border-border md:hidden">
      {COLUMNS.map(({ id, name }) => {
        const count = counts.get(id)?.length ?? 0;
        return (
          <button
            key={id}
            type="button"
            aria-pressed={shown === id}
            onClick={() => onShow(id)}
            className="flex h-11 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm text-muted aria-pressed:border-foreground aria-pressed:text-foreground"
          >
            {name} <Count signal={id === "needs_you" && count > 0}>{count}</Count>
          </button>
        );
      })}
    </nav>
  );
}

function NoCards({ board, mayChange, onAdd }: Pick<ColumnsProps, "board" | "mayChange" | "onAdd">) {
  const isPlanning = board.lead !== null && board.state === "running";
  return (
    <div className="min-w-0 flex-1">
      <EmptyState
        title={isPlanning ? "The lead is reading TEAM.md and will write the cards" : "No cards yet"}
        actions={
          mayChange ? (
            <Button variant={isPlanning ? "outline" : "primary"} onPress={onAdd}>
              <Plus aria-hidden />
              Add card
            </Button>
          ) : null
        }
      >
        {isPlanning ? "They appear here as it writes them." : "Write the first one: a member takes it at once."}
      </EmptyState>
    </div>
  );
}
