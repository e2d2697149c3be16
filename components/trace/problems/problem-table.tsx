"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { callApi } from "@/lib/client/http/api";
import { problemsQuery } from "@/lib/client/trace/problem-queries";
import { useAction } from "@/lib/client/ui/use-action";
import type { Problem, ProblemKind, ProblemState } from "@/lib/schema/traces/problem";

const KIND_LABELS: Readonly<Record<ProblemKind, string>> = {
  ...{ failed: "Failed", limit: "Limit", loop: "Loop", tool_error: "Tool error", denied: "Denied" },
  thumb_down: "Thumb down",
};

const HIDDEN_ON_PHONES = "max-md:hidden";
const HIDDEN_WHEN_NARROW = "max-lg:hidden";

const COLUMNS = [
  { id: "kind", label: "Kind", className: HIDDEN_ON_PHONES },
  { id: "title", label: "Problem", className: "w-full" },
  { id: "agent", label: "Agent", className: HIDDEN_WHEN_NARROW },
  { id: "runs", label: "Runs", align: "right" },
  { id: "people", label: "People", align: "right", className: HIDDEN_ON_PHONES },
  { id: "days", label: "28 days", end: "today", className: HIDDEN_WHEN_NARROW },
  { id: "seen", label: "Seen", align: "right" },
] as const;
const STATE_COLUMN = { id: "state", label: "State", isLabelHidden: true, className: HIDDEN_ON_PHONES } as const;

export interface ProblemTableProps {
  problems: readonly Problem[];
  nameOf: (agentId: string) => string;
  /** Only administrators resolve and ignore. */
  isAdmin: boolean;
  /** The problem whose details are open. */
  shownId: string | null;
  onShow: (problemId: string) => void;
}

/** Latest first; each row opens the problem's details. */
export function ProblemTable({ problems, nameOf, isAdmin, shownId, onShow }: ProblemTableProps) {
  return (
    <Table label="Problems">
      <TableHead columns={isAdmin ? [...COLUMNS, STATE_COLUMN] : COLUMNS} />
      <tbody>
        {problems.map((problem) => (
          <TableRow key={problem.id}>
            <TableCell className={`text-muted ${HIDDEN_ON_PHONES}`}>{KIND_LABELS[problem.kind]}</TableCell>
            <TableCell className="max-w-0 truncate font-medium">
              <button
                type="button"
                aria-pressed={problem.id === shownId}
                title={problem.title}
                onClick={() => onShow(problem.id)}
                className="max-w-full truncate align-bottom after:absolute after:inset-0"
              >
                {problem.title}
              </button>
              <Since problem={problem} />
            </TableCell>
            <TableCell className={`text-muted ${HIDDEN_WHEN_NARROW}`}>{nameOf(problem.agentId)}</TableCell>
            <TableCell align="right">{problem.runs.toLocaleString("en")}</TableCell>
            <TableCell align="right" className={HIDDEN_ON_PHONES}>
              {problem.people.toLocaleString("en")}
            </TableCell>
            <TableCell className={HIDDEN_WHEN_NARROW}>
              <Strip perDay={problem.perDay} />
            </TableCell>
            <TableCell align="right" className="text-muted">
              <Time at={problem.lastSeenAt} />
            </TableCell>
            {isAdmin ? (
              <TableCell align="right" className={HIDDEN_ON_PHONES}>
                <StateButtons problem={problem} />
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Since({ problem: { state, resolvedInVersion, firstVersion } }: { problem: Problem }) {
  const isBack = state === "open" && resolvedInVersion !== null;
  if (isBack) return <span className="pl-2 text-xs font-normal text-fail-text">back after v{resolvedInVersion}</span>;
  if (firstVersion === null) return null;
  return <span className="pl-2 text-xs font-normal text-muted">since v{firstVersion}</span>;
}

/** Runs per day, today last; each bar is at least visible. */
function Strip({ perDay }: { perDay: readonly number[] }) {
  const most = Math.max(1, ...perDay);
  const days = perDay.map((runs, index) => ({ runs, daysAgo: perDay.length - 1 - index }));
  const withRuns = perDay.filter((runs) => runs > 0).length;
  return (
    <span role="img" aria-label={`On ${withRuns} of ${perDay.length} days`} className="flex h-4 w-36 items-end gap-px">
      {days.map(({ runs, daysAgo }) => (
        <span
          key={daysAgo}
          className={`flex-1 ${daysAgo === 0 && runs > 0 ? "bg-foreground" : "bg-border-strong"}`}
          style={{ height: runs === 0 ? 1 : `${Math.max(20, (runs / most) * 100)}%` }}
        />
      ))}
    </span>
  );
}

const ACTIONS: Readonly<Record<ProblemState, readonly (readonly [ProblemState, string])[]>> = {
  open: [
    ["resolved", "Resolve"],
    ["ignored", "Ignore"],
  ],
  resolved: [["open", "Reopen"]],
  ignored: [["open", "Reopen"]],
};

function StateButtons({ problem: { id, title, state } }: { problem: Problem }) {
  const client = useQueryClient();
  const change = useAction({
    mutationFn: (next: ProblemState) =>
      callApi(`/api/problems/${encodeURIComponent(id)}`, { method: "PATCH", body: { state: next } }),
    onSuccess: () => client.invalidateQueries({ queryKey: problemsQuery.queryKey }),
  });
  return (
    <span className="relative z-1 flex justify-end gap-1">
      {ACTIONS[state].map(([next, name]) => (
        <Button
          key={next}
          variant="ghost"
          aria-label={`${name}: ${title}`}
          isPending={change.isPending}
          onPress={() => change.mutate(next)}
        >
          {name}
        </Button>
      ))}
    </span>
  );
}
