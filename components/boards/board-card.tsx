"use client";
import { CornerDownRight, Ellipsis, FileText, SquareCheck, SquareTerminal } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/overlays/menu";
import { StateRing } from "@/components/ui/states/state-ring";
import { afterText, memberName } from "@/lib/client/boards/board-labels";
import type { BoardActions } from "@/lib/client/boards/use-board-actions";
import { classNames } from "@/lib/client/ui/class-names";
import { excerptOf } from "@/lib/client/ui/markdown/without-marks";
import { formatCost } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import { formatDuration } from "@/lib/schema/format-duration";
import type { Approval } from "@/lib/schema/runs/interrupt";

interface CardProps {
  card: BoardCard;
  board: Pick<Board, "tasks" | "team">;
  ask: Approval | undefined;
  mayChange: boolean;
  isMoving: boolean;
  actions: BoardActions;
  onEdit: (card: BoardCard) => void;
}

const EDGES: Partial<Record<BoardCard["status"], string>> = {
  working: "shadow-[inset_2px_0_0_var(--live)]",
  needs_you: "border-signal",
};

/** One card: its task, its current step, its result, who has it, what it cost. */
export function BoardCardView({ card, board, ask, mayChange, isMoving, actions, onEdit }: CardProps) {
  const { id, number, title, status, assignee, costUsd } = card;
  const isDone = status === "done";
  return (
    <li
      className={classNames(
        "rounded-lg border border-border focus-within:ring-2 focus-within:ring-focus",
        isDone ? "" : "bg-surface",
        EDGES[status],
        isMoving && "ring-2 ring-focus",
      )}
    >
      <div className="flex gap-2 px-2.5 pt-2.5 pb-2">
        <CardRing status={status} />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex items-start gap-2">
            <CardTitle card={card}>
              <span className={classNames("wrap-anywhere", isDone && "text-muted")}>{title}</span>
            </CardTitle>
            <span className="tnum ml-auto text-xs text-muted">{number}</span>
          </div>
          <CardSummary card={card} board={board} ask={ask} />
          <div className="flex items-center gap-1.5 pt-0.5 text-xs">
            {card.byPerson ? (
              <span>you</span>
            ) : assignee === null ? (
              <span className="text-muted">free to take</span>
            ) : (
              <>
                <Mark size={13} />
                <span className="min-w-0 truncate">
                  {memberName(board, assignee)}
                  {card.agentVersion === null ? null : <span className="text-muted"> v{card.agentVersion}</span>}
                </span>
              </>
            )}
            <span className="tnum ml-auto text-muted">{card.attempts > 0 ? formatCost(costUsd) : ""}</span>
            {mayChange ? <CardMenu card={card} actions={actions} onEdit={onEdit} /> : null}
          </div>
        </div>
      </div>
      {mayChange ? <CardAnswers key={id} card={card} ask={ask} actions={actions} /> : null}
    </li>
  );
}

const RINGS = {
  todo: "queued",
  working: "running",
  needs_you: "waiting",
  done: "completed",
  failed: "failed",
} as const;
const RING_LABELS: Readonly<Record<BoardCard["status"], string>> = {
  todo: "To do",
  working: "Working",
  needs_you: "Waiting for you",
  review: "In review",
  done: "Done",
  failed: "Failed",
};

function CardRing({ status }: { status: BoardCard["status"] }) {
  if (status !== "review")
    return <StateRing status={RINGS[status]} labelled word={RING_LABELS[status]} className="mt-0.5" />;
  return (
    <svg
      role="img"
      aria-label="In review"
      width="14"
      height="14"
      viewBox="0 0 14 14"
      className="mt-0.5 shrink-0 text-muted"
    >
      <circle cx="7" cy="7" r="5.4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M7 1.6a5.4 5.4 0 0 1 0 10.8z" fill="currentColor" />
    </svg>
  );
}

/** Its run, once it has one; until then something focusable for the keyboard. */
function CardTitle({ card, children }: { card: BoardCard; children: ReactNode }) {
  const look = "min-w-0 rounded-sm text-left text-sm leading-snug font-medium outline-none";
  const marks = { "data-card": card.id, className: look };
  if (card.runId === null) {
    return (
      <button type="button" {...marks}>
        {children}
      </button>
    );
  }
  return (
    <Link href={`/traces/${encodeURIComponent(card.runId)}`} {...marks}>
      {children}
    </Link>
  );
}

function CardSummary({ card, board, ask }: Pick<CardProps, "card" | "board" | "ask">) {
  const { status, cause, partial, question, note, sentBack, result, reviewer } = card;
  const after = status === "todo" ? afterText(card, board.tasks) : null;
  return (
    <>
      {status === "working" ? <Doing card={card} /> : null}
      {status === "failed" && cause !== null ? <p className="text-xs text-fail-text wrap-anywhere">{cause}</p> : null}
      {status === "failed" && partial !== null ? <p className="text-xs text-muted">What it said is kept.</p> : null}
      {status === "needs_you" && question !== null ? (
        <p className="text-xs text-signal-text wrap-anywhere">{ask?.facts?.question ?? question}</p>
      ) : null}
      {ask === undefined ? null : (
        <code className="truncate font-mono text-xs text-muted" title={ask.facts?.gist}>
          {ask.tool} {ask.facts?.gist}
        </code>
      )}
      {sentBack > 0 && note !== null ? (
        <p className="text-xs text-muted wrap-anywhere">
          Sent back {sentBack === 1 ? "once" : `${sentBack} times`}: “{note}”
        </p>
      ) : null}
      {after === null ? null : <Fact icon={<CornerDownRight aria-hidden className="size-3.5" />}>{after}</Fact>}
      <EvidenceFact card={card} />
      {(status === "review" || status === "done") && result !== null ? (
        <p className="line-clamp-3 text-xs text-muted wrap-anywhere">{excerptOf(result)}</p>
      ) : null}
      {reviewer === null ? null : (
        <Fact icon={<StateRing status="running" size={12} />}>{memberName(board, reviewer.agentId)} reads it</Fact>
      )}
    </>
  );
}

function Doing({ card: { step, doing, startedAt } }: { card: BoardCard }) {
  const now = useHalfMinute();
  const since = startedAt === null || now === null ? null : now - Date.parse(startedAt);
  const time = since === null || since < 60_000 ? "" : `, ${formatDuration(since)}`;
  return (
    <>
      <p className="tnum text-xs text-live-text">{step === null ? `Working${time}` : `Step ${step}${time}`}</p>
      {doing === null ? null : <code className="truncate font-mono text-xs text-muted">{doing}</code>}
    </>
  );
}

function EvidenceFact({ card: { evidence, evidenceState } }: { card: BoardCard }) {
  if (evidence === null) return null;
  const isFile = "file" in evidence;
  const Icon = isFile ? FileText : evidenceState?.ok ? SquareCheck : SquareTerminal;
  const wanted = isFile ? evidence.file : evidence.command;
  return (
    <Fact icon={<Icon aria-hidden className="size-3.5" />} isGood={evidenceState?.ok === true}>
      {evidenceState === null ? `wants ${wanted}` : evidenceState.text}
    </Fact>
  );
}

function Fact({ icon, isGood = false, children }: { icon: ReactNode; isGood?: boolean; children: ReactNode }) {
  return (
    <p className={classNames("flex items-center gap-1.5 text-xs", isGood ? "text-ok-text" : "text-muted")}>
      <span className="shrink-0">{icon}</span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}

/** The card's asks, answered in place. */
function CardAnswers({ card, ask, actions }: Pick<CardProps, "card" | "ask" | "actions">) {
  const bar = "flex flex-wrap items-center gap-1.5 border-t border-border px-2.5 py-1.5";
  if (card.status === "failed") {
    return (
      <div className={bar}>
        <Button onPress={() => actions.again(card)}>Try again</Button>
        <Button variant="ghost" onPress={() => actions.giveBack(card)}>
          Give back
        </Button>
      </div>
    );
  }
  if (card.status === "review" && card.reviewer === null) {
    return (
      <div className={bar}>
        <Button variant="primary" onPress={() => actions.accept(card)}>
          Accept
        </Button>
        <Button onPress={() => actions.sendBack(card)}>Send back</Button>
      </div>
    );
  }
  if (card.status === "working" && card.byPerson) {
    return (
      <div className={bar}>
        <Button variant="primary" onPress={() => actions.handIn(card)}>
          Hand in
        </Button>
        <Button variant="ghost" onPress={() => actions.giveBack(card)}>
          Give back
        </Button>
      </div>
    );
  }
  if (card.status !== "needs_you") return null;
  return (
    <div className={classNames(bar, "rounded-b-lg bg-signal-soft")}>
      {card.asks === "lead" ? (
        <Button variant="primary" onPress={() => actions.answer(card)}>
          Reply
        </Button>
      ) : null}
      {ask === undefined ? null : (
        <>
          <Button variant="primary" onPress={() => actions.decide(ask, "allow")}>
            Allow once
          </Button>
          <Button onPress={() => actions.decide(ask, "deny")}>Deny</Button>
        </>
      )}
      {card.asks === "person" && card.threadId !== null ? (
        <LinkButton href={`/threads/${encodeURIComponent(card.threadId)}`} variant="ghost">
          Open
        </LinkButton>
      ) : null}
    </div>
  );
}

function CardMenu({ card, actions, onEdit }: Pick<CardProps, "card" | "actions" | "onEdit">) {
  const isHeld = card.status === "working" || card.status === "review" || card.status === "done";
  return (
    <Menu
      label={`More for card ${card.number}`}
      trigger={
        <IconButton label={`More for card ${card.number}`} size="xs">
          <Ellipsis />
        </IconButton>
      }
      actions={[
        ...(isHeld ? [] : [{ id: "edit", label: "Edit", onAction: () => onEdit(card) }]),
        ...(card.status === "todo"
          ? [{ id: "mine", label: "Do it myself", onAction: () => actions.takeMyself(card) }]
          : []),
        ...(card.status === "todo" || card.status === "done"
          ? []
          : [{ id: "back", label: "Give back", onAction: () => actions.giveBack(card) }]),
        { id: "drop", label: "Remove", onAction: () => actions.drop(card) },
      ]}
    />
  );
}
