import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { BoardCard } from "@/lib/schema/boards/board";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { BoardTurn } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import type { BoardRow } from "@/lib/server/platform/db/queries/dispatch/boards";
import type { Services } from "@/lib/server/platform/services";
import type { TeamBoard, TeamCard, TeamRole } from "@/lib/tools/team-tasks";
import { announceBoard } from "./announce-board";
import { createCard, listCards, removeCard, reopenCard, reviewCard, updateCard } from "./cards";
import { membersOf } from "./read-board";
import { leadClientId } from "./start-turns";

/** The owner, agent and thread of the run. */
interface Worker {
  readonly ownerId: string;
  readonly agentId: string;
  readonly threadId: string;
}

/** A run's board and the run's role there; null if the run only draws on the board's budget. */
export async function boardOfRun(
  database: Database,
  { id, role }: BoardTurn,
  { ownerId, agentId, threadId }: Worker,
): Promise<{ readonly board: BoardRow; readonly role: TeamRole } | null> {
  const board = await database.board.findFirst({ where: { id, ownerId } });
  if (!board) return null;
  if (role !== undefined) return { board, role };
  // A person's own message in the lead's thread is read by the lead.
  if (agentId !== board.leadAgentId) return null;
  const isLead = await database.thread.count({ where: { id: threadId, ownerId, clientId: leadClientId(board.id) } });
  return isLead > 0 ? { board, role: "lead" } : null;
}

/** The members the board's owner can currently reach, as described to the lead. */
export async function describeMembers(database: Database, board: BoardRow) {
  const found = await selectReachable(database, membersOf(board), accessOfOwner(board.ownerId));
  const versions = await Promise.all(
    found.flatMap(({ id, currentVersionId }) =>
      currentVersionId === null
        ? []
        : [loadAgentVersion(database, currentVersionId).then(({ config }) => ({ id, config }))],
    ),
  );
  return versions.map(({ id, config: { name, description } }) => ({ id, name, description }));
}

/** The implementation of the tool `team_tasks` for one run. */
export function teamBoard(services: Services, board: BoardRow, turn: BoardTurn, worker: Worker): TeamBoard {
  const owner = { id: board.ownerId };
  const { id: boardId } = board;
  const cards = () => listCards(services.database, boardId, owner);
  const find = async (number: number) => {
    const card = (await cards()).find((one) => one.number === number);
    if (!card) throw new AppError("not_found", `There is no card ${number}. The action list shows the cards.`);
    return card;
  };
  const place = async (number: number) => ({ boardId, taskId: (await find(number)).id });
  const idsOf = async (numbers: readonly number[]) =>
    Promise.all(numbers.map(async (number) => (await find(number)).id));
  const fieldsOf = async ({ dependsOn, ...fields }: TeamCard) => ({
    ...fields,
    ...(dependsOn === undefined ? {} : { dependsOn: await idsOf(dependsOn) }),
  });
  return {
    list: async () => {
      const all = await cards();
      return all.length === 0 ? "The board has no cards yet." : all.map((card) => line(card, all)).join("\n");
    },
    create: async (fields) => {
      const { title = "", ...others } = await fieldsOf(fields);
      const body = { title, spec: "", dependsOn: [], assignee: null, evidence: null, ...others };
      return `Created card ${(await createCard(services, boardId, body, owner)).number}.`;
    },
    edit: async (number, fields) => {
      await updateCard(services, await place(number), await fieldsOf(fields), owner);
      return `Changed card ${number}.`;
    },
    remove: async (number) => {
      await removeCard(services, await place(number), owner);
      return `Removed card ${number}.`;
    },
    reopen: async (number, how, note) => {
      const { status, assignee } = await reopenCard(services, await place(number), { how, note }, owner);
      return status === "todo" ? `Card ${number} is free again.` : `Card ${number} goes to ${assignee}.`;
    },
    review: async (number, accept, note) => {
      if (turn.role === "review") return decide(services.database, board, turn, { accept, note });
      if (number === null)
        throw new AppError("invalid_input", "Give the number of the `card`; the action list shows them.");
      await reviewCard(services, await place(number), { accept, note }, { ...owner, by: worker.agentId });
      return accept ? `Card ${number} is accepted.` : `Card ${number} goes back to its member.`;
    },
    ask: async (question) => {
      const { turnId = "" } = turn;
      const asked = await services.database.boardCard.updateMany({
        where: { id: turn.cardId ?? "", boardId, turnId, status: "working" },
        data: { question },
      });
      if (asked.count === 0) throw new AppError("conflict", "The card is no longer yours. End your turn.");
      announceBoard(board);
      return "Asked. End your turn now: you get the card back with the answer.";
    },
  };
}

/** A reviewer decides once; the decision takes effect when its run has ended. */
async function decide(
  database: Database,
  board: BoardRow,
  { turnId = "" }: BoardTurn,
  verdict: { readonly accept: boolean; readonly note: string },
): Promise<string> {
  const decided = await database.boardRun.updateMany({
    where: { id: turnId, boardId: board.id, outcome: null, verdict: null },
    data: { verdict: JSON.stringify(verdict) },
  });
  if (decided.count === 0) throw new AppError("conflict", "This review is decided already. End your turn.");
  return verdict.accept ? "Accepted. End your turn." : "Sent back. End your turn.";
}

/** "3. List every change [review], researcher, after 1 and 2: …". */
function line(card: BoardCard, all: readonly BoardCard[]): string {
  const { number, title, status, assignee, dependsOn, cause, question } = card;
  const after = dependsOn.flatMap((id) => all.find((other) => other.id === id)?.number ?? []);
  const facts = [
    `${number}. ${title} [${status}]`,
    assignee ?? "any member",
    ...(after.length === 0 ? [] : [`after ${after.join(", ")}`]),
    ...(cause === null ? [] : [`cause: ${cause}`]),
    ...(question === null ? [] : [`asks: ${question}`]),
  ];
  return facts.join(", ");
}
