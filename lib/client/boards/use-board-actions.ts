import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { approvalsQuery, decideCall } from "@/lib/client/chat/asks/decisions";
import { APPROVALS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { type CardMove, moveOf } from "./board-labels";
import {
  boardQuery,
  claimCard,
  claimCardMyself,
  removeCard,
  reopenCard,
  reviewCard,
  stopBoard,
  updateBoard,
} from "./board-queries";

/** A dialog that the page shows for a card. */
export type CardNote = { readonly kind: "send_back" | "answer" | "hand_in"; readonly card: BoardCard };

/** The actions on a board. Each outcome is shown, and the board is refetched. */
export function useBoardActions(board: Board | undefined, askFor: (note: CardNote) => void) {
  const queryClient = useQueryClient();
  const [said, setSaid] = useState("");
  const id = board?.id ?? "";
  const attempt = useAction({
    mutationFn: ({ work }: { work: () => Promise<unknown>; done: string }) => work(),
    onSuccess: (_, { done }) => setSaid(done),
    invalidates: [boardQuery(id).queryKey],
  });
  const run = (done: string, work: () => Promise<unknown>) => attempt.mutate({ work, done });
  const apply = (card: BoardCard, move: CardMove): void => {
    const { number } = card;
    if (move.kind === "refused") showToast({ title: `Card ${number} stays`, description: move.why });
    else if (move.kind === "claim") {
      run(`${move.by} takes card ${number}`, () => claimCard(id, card.id, move.by));
    } else if (move.kind === "give_back") {
      run(`Card ${number} is free again`, () => reopenCard(id, card.id, { how: "give_back" }));
    } else if (move.kind === "accept") {
      run(`Accepted card ${number}`, () => reviewCard(id, card.id, { accept: true }));
    } else askFor({ kind: move.kind, card });
  };
  return {
    said,
    say: setSaid,
    accept: (card: BoardCard) => apply(card, { kind: "accept" }),
    sendBack: (card: BoardCard) => askFor({ kind: "send_back", card }),
    answer: (card: BoardCard) => askFor({ kind: "answer", card }),
    takeMyself: (card: BoardCard) => run(`Card ${card.number} is yours`, () => claimCardMyself(id, card.id)),
    handIn: (card: BoardCard) => askFor({ kind: "hand_in", card }),
    giveBack: (card: BoardCard) => apply(card, { kind: "give_back" }),
    again: (card: BoardCard) =>
      run(`Card ${card.number} is tried again`, () => reopenCard(id, card.id, { how: "again" })),
    drop: (card: BoardCard) => run(`Removed card ${card.number}`, () => removeCard(id, card.id)),
    move: (card: BoardCard, direction: "left" | "right") => board && apply(card, moveOf(board, card, direction)),
    stop: () => run("Stopped", () => stopBoard(id)),
    start: () => run("Started again", () => updateBoard(id, { stopped: false })),
    decide: (ask: Approval, decision: "allow" | "deny") =>
      run(decision === "allow" ? "Allowed once" : "Denied", async () => {
        await decideCall(ask.runId, { tool_call_id: ask.toolCallId, decision }, "page");
        await queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
      }),
  };
}
export type BoardActions = ReturnType<typeof useBoardActions>;

/** The calls that cards wait for, by run id. */
export function useCardAsks(board: Board | undefined): ReadonlyMap<string, Approval> {
  const isAsking = board?.tasks.some(({ asks }) => asks === "person") ?? false;
  const { data } = useQuery({ ...approvalsQuery, enabled: isAsking });
  return new Map((data?.approvals ?? []).filter(({ kind }) => kind === "approval").map((ask) => [ask.runId, ask]));
}
