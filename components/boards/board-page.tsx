"use client";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Sheet } from "@/components/ui/overlays/sheet";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { boardQuery, deleteBoard } from "@/lib/client/boards/board-queries";
import { type CardNote, useBoardActions } from "@/lib/client/boards/use-board-actions";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { showToast } from "@/lib/client/ui/toast-store";
import type { BoardCard } from "@/lib/schema/boards/board";
import { BoardColumns } from "./board-columns";
import { BoardBar, BoardHead, BudgetLine } from "./board-head";
import { TeamPanel } from "./team-panel";

const CardDialog = dynamic(async () => (await loadWithRetry(() => import("./card-dialogs"))).CardDialog, {
  loading: () => null,
});
const NoteDialog = dynamic(async () => (await loadWithRetry(() => import("./card-dialogs"))).NoteDialog, {
  loading: () => null,
});
const BoardDialog = dynamic(async () => (await loadWithRetry(() => import("./board-dialog"))).BoardDialog, {
  loading: () => null,
});

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
      push("/automations/boards");
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
  };
  const close = () => setDialog(null);
  if (!board) {
    return (
      <Page>
        <PageHead title="Board" />
        <QueryState
          what="board"
          query={query}
          unharmed="Its runs continue."
          gone={
            <NotFoundState what="board" listHref="/automations/boards">
              It was deleted, or it is another person’s.
            </NotFoundState>
          }
        />
      </Page>
    );
  }
  const working = board.counts.working;
  const whole = {
    board,
    mayChange,
    onAdd: () => setDialog({ kind: "card", card: null }),
    onStop: () => setDialog({ kind: "stop" }),
    onStart: actions.start,
    onTeam: () => setTeamOpen(true),
  };
  return (
    <Page>
      <p role="status" className="sr-only">
        {actions.said}
      </p>
      <BoardHead {...whole} />
      <BudgetLine board={board} onTeam={() => setTeamOpen(true)} />
      <div className="flex min-h-0 flex-1">
        <BoardColumns
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
      <BoardBar {...whole} />
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
            <p className="px-4 py-3">
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
    </Page>
  );
}
