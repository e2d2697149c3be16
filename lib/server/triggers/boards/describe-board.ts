import { AppError } from "@/lib/schema/app-error";
import type { Board, BoardCard, BoardSummary, CardStatus } from "@/lib/schema/boards/board";
import { RunEvent } from "@/lib/schema/runs/run-event";
import { roundedUsd } from "@/lib/schema/runs/usage";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { waitsForPeople } from "@/lib/server/engine/children/run-tree";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import {
  type BoardRow,
  type CardRow,
  selectCardCounts,
  selectLastCalls,
  selectSpentByBoard,
  selectTurnCosts,
  type TurnCost,
  type TurnRow,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import { budgetsOfBoards } from "./board-budget";
import { dependenciesOf, EvidenceState, evidenceOf, membersOf } from "./read-board";
import { leadClientId } from "./start-turns";

const NONE = { todo: 0, working: 0, needs_you: 0, review: 0, done: 0, failed: 0 };
const NOTHING = { usd: 0, tokens: 0 };

export async function summarizeBoards(database: Database, boards: readonly BoardRow[]): Promise<BoardSummary[]> {
  if (boards.length === 0) return [];
  const ids = boards.map(({ id }) => id);
  const [counts, budgets, spent, open] = await Promise.all([
    selectCardCounts(database, ids),
    budgetsOfBoards(database, boards),
    selectSpentByBoard(database, ids),
    database.boardRun.findMany({
      where: { boardId: { in: ids }, outcome: null },
      select: { boardId: true, role: true },
    }),
  ]);
  const keys = await madeByKeys(database, boards);
  return readEach(boards, "board", (board) => {
    const own: Record<CardStatus, number> = { ...NONE };
    for (const { boardId, status, count } of counts) if (boardId === board.id) own[status as CardStatus] = count;
    const budget = budgets.get(board.id);
    const used = budget?.used ?? spent.get(board.id) ?? NOTHING;
    const turns = open.filter(({ boardId }) => boardId === board.id);
    return {
      ...fieldsOf(board),
      apiKey: keys.get(board.apiKeyId ?? "") ?? null,
      used: { usd: roundedUsd(used.usd), tokens: used.tokens },
      reserved: budget === undefined ? NOTHING : { ...budget.reserved, usd: roundedUsd(budget.reserved.usd) },
      added: budget?.added ?? NOTHING,
      isBudgetReached: budget?.isReached ?? false,
      counts: own,
      state: stateOf(board, own, turns),
    };
  });
}

function fieldsOf(board: BoardRow) {
  const { id, name, goal, leadAgentId, maxParallel, review, workspace, budgetUsd, budgetTokens, stoppedAt } = board;
  return {
    id,
    name,
    goal,
    lead: leadAgentId,
    members: membersOf(board),
    max_parallel: maxParallel,
    review: review as BoardSummary["review"],
    workspace: workspace as BoardSummary["workspace"],
    budget: { usd: budgetUsd, tokens: budgetTokens },
    stoppedAt: stoppedAt?.toISOString() ?? null,
    stoppedReason: board.stoppedReason,
    createdAt: board.createdAt.toISOString(),
    updatedAt: board.updatedAt.toISOString(),
  };
}

function stateOf(
  { stoppedAt }: BoardRow,
  counts: Readonly<Record<CardStatus, number>>,
  turns: readonly { readonly role: string }[],
): BoardSummary["state"] {
  if (stoppedAt !== null) return "stopped";
  if (counts.working > 0 || turns.some(({ role }) => role !== "work")) return "running";
  return counts.todo + counts.needs_you + counts.review + counts.failed > 0 ? "waiting" : "idle";
}

export async function describeBoard(database: Database, board: BoardRow): Promise<Board> {
  const [[summary], cards, turns, costs, lead] = await Promise.all([
    summarizeBoards(database, [board]),
    database.boardCard.findMany({ where: { boardId: board.id }, orderBy: { number: "asc" } }),
    database.boardRun.findMany({ where: { boardId: board.id }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    selectTurnCosts(database, board.id),
    database.thread.findFirst({
      where: { ownerId: board.ownerId, boardId: board.id, clientId: leadClientId(board.id) },
      select: { id: true },
    }),
  ]);
  if (!summary) throw new AppError("not_found", "This board can't be read. The server's log says why.");
  const tasks = await describeCards(database, cards, { turns, costs, ownerId: board.ownerId });
  return {
    ...summary,
    updatedAt: new Date(Math.max(...[board, ...cards].map(({ updatedAt }) => updatedAt.getTime()))).toISOString(),
    team: await teamOf(database, board, { tasks, turns, costs }),
    leadThreadId: lead?.id ?? null,
    plan: lead ? await loadTodos(database, { threadId: lead.id }) : [],
    woken: {
      results: newsCount(turns, "result"),
      questions: newsCount(turns, "question"),
      failures: newsCount(turns, "failure"),
    },
    tasks,
  };
}

function newsCount(turns: readonly TurnRow[], news: string): number {
  return turns.filter((turn) => turn.news === news).length;
}

interface Known {
  readonly turns: readonly TurnRow[];
  readonly costs: readonly TurnCost[];
}

async function describeCards(
  database: Database,
  cards: readonly CardRow[],
  { turns, costs, ownerId }: Known & { readonly ownerId: string },
): Promise<BoardCard[]> {
  const atWork = cards.flatMap(({ status, runId }) => (status === "working" && runId !== null ? [runId] : []));
  const worked = cards.flatMap(({ runId }) => runId ?? []);
  const [versions, runs, calls, asks] = await Promise.all([
    database.run.findMany({
      where: { id: { in: worked } },
      select: { id: true, agentVersion: { select: { number: true } } },
      orderBy: { id: "asc" },
    }),
    database.run.findMany({
      where: { id: { in: atWork } },
      select: { id: true, status: true, waitingFor: true, startedAt: true },
      orderBy: { id: "asc" },
    }),
    selectLastCalls(database, atWork),
    database.approval.findMany({
      where: { runId: { in: atWork }, status: "pending" },
      select: { runId: true, kind: true, tool: true, facts: true, questions: true },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    }),
  ]);
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const callOf = new Map(calls.map(({ runId, data }) => [runId, RunEvent.parse(JSON.parse(data))]));
  const versionOf = new Map(versions.map(({ id, agentVersion }) => [id, agentVersion.number]));
  const askOf = new Map(asks.map((ask) => [ask.runId, ask]));
  return readEach(cards, "card", (card) =>
    describeCard(card, {
      ownerId,
      agentVersion: versionOf.get(card.runId ?? "") ?? null,
      run: runOf.get(card.runId ?? ""),
      call: callOf.get(card.runId ?? ""),
      ask: askOf.get(card.runId ?? ""),
      review: turns.find((turn) => turn.cardId === card.id && turn.role === "review" && turn.outcome === null),
      costUsd: costOf(costs.filter(({ cardId, role }) => cardId === card.id && role !== "lead")),
    }),
  );
}

interface AtWork {
  readonly ownerId: string;
  readonly agentVersion: number | null;
  readonly run: { status: string; waitingFor: string | null; startedAt: Date | null } | undefined;
  readonly call: RunEvent | undefined;
  readonly ask: Ask | undefined;
  readonly review: TurnRow | undefined;
  readonly costUsd: number | null;
}

function describeCard(card: CardRow, { ownerId, agentVersion, run, call, ask, review, costUsd }: AtWork): BoardCard {
  const has = card.worker ?? card.assignee;
  const asksPerson = run !== undefined && waitsForPeople(run);
  return {
    ...plainFields(card),
    assignee: has === ownerId ? null : has,
    byPerson: has === ownerId,
    agentVersion,
    status: asksPerson ? "needs_you" : (card.status as CardStatus),
    question: asksPerson ? askText(ask) : card.question,
    asks: asksPerson ? "person" : card.status === "needs_you" ? "lead" : null,
    costUsd,
    ...doingOf(call),
    startedAt: run?.startedAt?.toISOString() ?? null,
    reviewer: review ? { agentId: review.agentId, runId: review.runId } : null,
  };
}

function doingOf(call: RunEvent | undefined): Pick<BoardCard, "step" | "doing"> {
  if (call?.type !== "tool.call") return { step: null, doing: null };
  return { step: call.step, doing: [call.call.name, call.facts?.gist ?? ""].join(" ").trim() };
}

function plainFields(card: CardRow) {
  const { id, number, title, spec, runId, threadId, result, partial, cause, note, sentBack, attempts, acceptedBy } =
    card;
  return {
    id,
    number,
    title,
    spec,
    runId,
    threadId,
    result,
    partial,
    cause,
    note,
    sentBack,
    attempts,
    acceptedBy,
    dependsOn: dependenciesOf(card),
    evidence: evidenceOf(card),
    evidenceState: card.evidenceState === null ? null : EvidenceState.parse(JSON.parse(card.evidenceState)),
    doneAt: card.doneAt?.toISOString() ?? null,
    createdAt: card.createdAt.toISOString(),
  };
}

interface Ask {
  readonly kind: string;
  readonly tool: string;
  readonly questions: string | null;
}

function askText(ask: Ask | undefined): string {
  if (ask?.kind === "approval") return `Allow ${ask.tool}?`;
  if (ask?.kind === "budget") return "The budget is reached. Add to it?";
  const [first] = ask?.questions ? (JSON.parse(ask.questions) as { question?: unknown }[]) : [];
  return typeof first?.question === "string" ? first.question : "Its run waits for you.";
}

/** Null if the price of any ended run is unknown. */
function costOf(costs: readonly TurnCost[]): number | null {
  if (costs.some(({ costUsd, ended }) => ended && costUsd === null)) return null;
  return roundedUsd(costs.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0));
}

async function teamOf(
  database: Database,
  board: BoardRow,
  { tasks, turns, costs }: Known & { readonly tasks: readonly BoardCard[] },
): Promise<Board["team"]> {
  const members = membersOf(board);
  const { leadAgentId } = board;
  const ids = leadAgentId === null || members.includes(leadAgentId) ? members : [leadAgentId, ...members];
  const access = accessOfOwner(board.ownerId);
  return Promise.all(
    ids.map(async (agentId) => {
      const version = await loadCurrentVersion(database, agentId, access).catch(() => null);
      const turn = turns.find((one) => one.agentId === agentId && one.outcome === null);
      const card = tasks.find(({ id }) => id === turn?.cardId);
      const isAsking = turn?.role === "work" && card?.status === "needs_you";
      const working = turn?.role === "review" ? ("reviewing" as const) : ("working" as const);
      return {
        agentId,
        name: version?.config.name ?? agentId,
        version: version?.number ?? null,
        isLead: agentId === leadAgentId,
        state:
          version === null
            ? ("gone" as const)
            : turn === undefined
              ? ("idle" as const)
              : isAsking
                ? ("asks" as const)
                : working,
        cardNumber: turn?.role === "lead" ? null : (card?.number ?? null),
        costUsd: costOf(costs.filter((cost) => cost.agentId === agentId)),
      };
    }),
  );
}
