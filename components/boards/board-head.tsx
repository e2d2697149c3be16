"use client";
import { ArrowLeft, ChevronRight, Plus, Settings2, Square, Users } from "lucide-react";
import Link from "next/link";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { ICON_BUTTON, ICON_BUTTON_SIZES, IconButton } from "@/components/ui/controls/icon-button";
import { StateChip } from "@/components/ui/states/state-ring";
import { doneText, planText, spentText, stateOf } from "@/lib/client/boards/board-labels";
import { classNames } from "@/lib/client/ui/class-names";
import type { Board } from "@/lib/schema/boards/board";
import { BudgetRing } from "./budget-ring";

interface BoardHeadProps {
  board: Board;
  mayChange: boolean;
  onAdd: () => void;
  onStop: () => void;
  onStart: () => void;
  onTeam: () => void;
}

/** The board's name and state, and what one does with all of it. */
export function BoardHead({ board, mayChange, onAdd, onStop, onStart, onTeam }: BoardHeadProps) {
  const { ring, word } = stateOf(board);
  const needs = board.counts.needs_you;
  return (
    <PageHead
      lead={
        <Link
          href="/automations/boards"
          aria-label="All boards"
          className={`${ICON_BUTTON} ${ICON_BUTTON_SIZES.sm} md:hidden`}
        >
          <ArrowLeft />
        </Link>
      }
      title={
        <span className="flex min-w-0 items-center gap-2">
          <Link href="/automations/boards" className="font-normal text-muted hover:underline max-sm:hidden">
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
          <StateChip status={ring} word={word} className={board.state === "stopped" ? undefined : "max-sm:hidden"} />
          {needs > 0 ? <StateChip status="waiting" word={`Waiting ${needs}`} className="max-sm:hidden" /> : null}
          <span className="tnum text-xs text-muted max-lg:hidden">{doneText(board)}</span>
          {board.stoppedReason === null ? null : (
            <span className="truncate text-xs text-fail-text max-lg:hidden">{board.stoppedReason}</span>
          )}
        </>
      }
      actions={
        <>
          <span className="tnum flex items-center gap-1.5 text-xs text-muted max-lg:hidden">
            <BudgetRing board={board} size={18} />
            {spentText(board)}
          </span>
          {mayChange ? (
            <BoardActions state={board.state} className="max-md:hidden" {...{ onAdd, onStop, onStart }} />
          ) : null}
          <IconButton label="Team and settings" className="max-md:hidden" onPress={onTeam}>
            <Users className="xl:hidden" />
            <Settings2 className="max-xl:hidden" />
          </IconButton>
        </>
      }
    />
  );
}

interface BoardActionsProps extends Pick<BoardHeadProps, "onAdd" | "onStop" | "onStart"> {
  state: BoardHeadProps["board"]["state"];
  className?: string;
}

function BoardActions({ state, className, onAdd, onStop, onStart }: BoardActionsProps) {
  return (
    <>
      <Button className={className} onPress={onAdd}>
        <Plus aria-hidden />
        Add card
      </Button>
      {state === "stopped" ? (
        <Button variant="primary" className={className} onPress={onStart}>
          Start again
        </Button>
      ) : null}
      {state === "running" || state === "waiting" ? (
        <Button className={classNames("text-fail-text!", className)} onPress={onStop}>
          <Square aria-hidden className="size-3! fill-current" />
          Stop all
        </Button>
      ) : null}
    </>
  );
}

/** On a phone: what one does with the board, within reach of the thumb. */
export function BoardBar({ board, mayChange, onAdd, onStop, onStart, onTeam }: BoardHeadProps) {
  return (
    <section
      aria-label="The whole board"
      className="flex shrink-0 gap-2 border-t border-border bg-surface px-3 py-1.5 md:hidden [&>*]:min-h-11 [&>*]:flex-1"
    >
      {mayChange ? <BoardActions state={board.state} {...{ onAdd, onStop, onStart }} /> : null}
      <Button onPress={onTeam}>
        <Users aria-hidden />
        Team
      </Button>
    </section>
  );
}

/** On a phone: how much is spent and how far the plan is; it opens the team. */
export function BudgetLine({ board, onTeam }: { board: Board; onTeam: () => void }) {
  return (
    <button
      type="button"
      onClick={onTeam}
      className="tnum flex h-11 shrink-0 items-center gap-2 border-b border-border bg-background px-4 text-xs -outline-offset-2 md:hidden"
    >
      <BudgetRing board={board} size={18} />
      <span className="truncate">{spentText(board)}</span>
      <span className="ml-auto shrink-0 text-muted">{planText(board)}</span>
      <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />
    </button>
  );
}
