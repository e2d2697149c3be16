"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { AutomationHead } from "@/components/automations/automation-head";
import { Page } from "@/components/shell/page";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { doneText, spentText, stateOf } from "@/lib/client/boards/board-labels";
import { boardsQuery } from "@/lib/client/boards/board-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import type { BoardSummary } from "@/lib/schema/boards/board";

const BoardDialog = dynamic(async () => (await loadWithRetry(() => import("./board-dialog"))).BoardDialog, {
  loading: () => null,
});

const PAGE_KEYS = [{ keys: "c", does: "New board" }] as const;

const COLUMNS = [
  { id: "state", label: "State" },
  { id: "name", label: "Board", className: "w-full" },
  { id: "lead", label: "Lead", className: "max-md:hidden" },
  { id: "done", label: "Cards" },
  { id: "spent", label: "Spent", className: "max-md:hidden" },
  { id: "changed", label: "Changed", className: "max-lg:hidden" },
] as const;

/** The viewer's boards: which are running, and which wait. */
export function BoardsPage() {
  const { viewer } = useShell();
  const { push } = useRouter();
  const query = useQuery(boardsQuery);
  const [isMaking, setMaking] = useState<"new" | "triage" | null>(null);
  const mayChange = viewer.scopes.includes("chat");
  usePageKeys(PAGE_KEYS);
  useShortcuts({ c: () => mayChange && setMaking("new") });
  const boards = query.data ?? [];
  const add = mayChange ? (
    <Button variant="primary" onPress={() => setMaking("new")}>
      <Plus aria-hidden />
      New board
    </Button>
  ) : null;
  return (
    <Page>
      <AutomationHead
        current="boards"
        count={query.data?.length}
        actions={
          boards.length === 0 || !mayChange ? null : (
            <>
              <Button variant="ghost" className="max-sm:hidden" onPress={() => setMaking("triage")}>
                Start from “Triage team”
              </Button>
              {add}
            </>
          )
        }
      />
      <div className="min-h-0 flex-1 overflow-auto">
        <QueryState
          what="boards"
          query={query}
          unharmed="They keep running."
          empty={
            <EmptyState
              title="No boards yet"
              actions={
                mayChange ? (
                  <>
                    {add}
                    <Button onPress={() => setMaking("triage")}>Start from “Triage team”</Button>
                  </>
                ) : null
              }
            >
              A board gives a team of agents its cards. Each card is a run that you can open.
            </EmptyState>
          }
        />
        {boards.length === 0 ? null : (
          <Table label="Boards">
            <TableHead columns={COLUMNS} />
            <tbody>
              {boards.map((board) => (
                <BoardRow key={board.id} board={board} />
              ))}
            </tbody>
          </Table>
        )}
      </div>
      {isMaking === null ? null : (
        <BoardDialog
          template={isMaking === "triage"}
          onClose={() => setMaking(null)}
          onMade={(id) => push(`/automations/boards/${encodeURIComponent(id)}`)}
        />
      )}
    </Page>
  );
}

function BoardRow({ board }: { board: BoardSummary }) {
  const { id, name, lead, members, state, updatedAt, counts } = board;
  const { ring, word } = stateOf(board);
  const edge = counts.needs_you > 0 ? "signal" : state === "running" ? "live" : undefined;
  return (
    <TableRow edge={edge}>
      <TableCell>
        <StateChip status={counts.needs_you > 0 ? "waiting" : ring} word={counts.needs_you > 0 ? "Waiting" : word} />
      </TableCell>
      <TableCell className="max-w-0 max-sm:max-w-40">
        <Link
          href={`/automations/boards/${encodeURIComponent(id)}`}
          className="block max-w-full truncate rounded-sm font-medium hover:underline"
        >
          {name}
        </Link>
      </TableCell>
      <TableCell className="text-muted max-md:hidden">
        {lead ?? "you"}, {members.length === 1 ? "1 member" : `${members.length} members`}
      </TableCell>
      <TableCell className="tnum whitespace-nowrap">{doneText(board)}</TableCell>
      <TableCell className="tnum whitespace-nowrap text-muted max-md:hidden">{spentText(board)}</TableCell>
      <TableCell className="whitespace-nowrap text-muted max-lg:hidden">
        <Time at={updatedAt} />
      </TableCell>
    </TableRow>
  );
}
