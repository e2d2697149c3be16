import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Todo } from "@/lib/schema/runs/todo";
import { MadeByKey } from "@/lib/schema/users/api-key";

const BoardReview = z.enum(["none", "other_member", "person"]);

/** The required proof of a card besides its result: a file that exists, or a command that exits with 0. */
export const Evidence = z.union([
  z.strictObject({ file: z.string().trim().min(1).max(500) }),
  z.strictObject({ command: z.string().trim().min(1).max(2_000) }),
]);
export type Evidence = z.infer<typeof Evidence>;

const AgentId = z.string().trim().min(1).max(200);

const Budget = z.strictObject({
  usd: z.number().nonnegative().max(10_000_000).nullable().default(null),
  tokens: z.number().int().nonnegative().max(1_000_000_000_000).nullable().default(null),
});

const BOARD_FIELDS = {
  name: z.string().trim().min(1, "Give it a name.").max(120),
  goal: z.string().max(16_384).describe("What the team is to achieve; its lead reads it."),
  members: z
    .array(AgentId)
    .min(1, "Name at least one agent.")
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, "Name each agent once."),
  max_parallel: z.number().int().min(1).max(100).describe("How many cards are worked on or reviewed at once."),
  review: BoardReview,
  workspace: z.enum(["own", "shared"]).describe("shared: all cards work on one folder of the board."),
  budget: Budget,
} as const;

const needsReviewer = {
  path: ["members"],
  message: "Reviews by another member need two members: add one, or choose another kind of review.",
};

/** POST `/api/boards`. Without `lead`, the board's creator leads. */
export const CreateBoardBody = z
  .strictObject({
    ...BOARD_FIELDS,
    goal: BOARD_FIELDS.goal.default(""),
    lead: AgentId.nullable().default(null),
    max_parallel: BOARD_FIELDS.max_parallel.default(3),
    review: BOARD_FIELDS.review.default("none"),
    workspace: BOARD_FIELDS.workspace.default("own"),
    budget: BOARD_FIELDS.budget.default({ usd: null, tokens: null }),
  })
  .refine(({ review, members }) => review !== "other_member" || members.length > 1, needsReviewer);
export type CreateBoardBody = z.output<typeof CreateBoardBody>;

/** PATCH `/api/boards/{id}`: omitted fields keep their values. `stopped: false` restarts a stopped board. */
export const UpdateBoardBody = z
  .strictObject({ ...BOARD_FIELDS, stopped: z.literal(false) })
  .omit({ workspace: true })
  .partial();
export type UpdateBoardBody = z.output<typeof UpdateBoardBody>;

export const CardStatus = z.enum(["todo", "working", "needs_you", "review", "done", "failed"]);
export type CardStatus = z.infer<typeof CardStatus>;

const CARD_FIELDS = {
  title: z.string().trim().min(1, "Give it a title.").max(200),
  spec: z.string().max(16_384).describe("What to do, for a member who knows nothing else."),
  dependsOn: z.array(RowId).max(100).describe("Ids of cards that have to be done first."),
  assignee: AgentId.nullable().describe("The member that is to take it; null: any idle member."),
  evidence: Evidence.nullable(),
} as const;

/** POST `/api/boards/{id}/tasks`. */
export const CreateCardBody = z.strictObject({
  ...CARD_FIELDS,
  spec: CARD_FIELDS.spec.default(""),
  dependsOn: CARD_FIELDS.dependsOn.default([]),
  assignee: CARD_FIELDS.assignee.default(null),
  evidence: CARD_FIELDS.evidence.default(null),
});
export type CreateCardBody = z.output<typeof CreateCardBody>;

/** PATCH `/api/boards/{id}/tasks/{taskId}`: only for a card that no member has. */
export const UpdateCardBody = z.strictObject(CARD_FIELDS).partial();
export type UpdateCardBody = z.output<typeof UpdateCardBody>;

/** A member, or `person: true` for the caller. */
export const ClaimBody = z
  .strictObject({ assignee: AgentId.optional(), person: z.literal(true).optional() })
  .refine(({ assignee, person }) => (assignee === undefined) !== (person === undefined), {
    path: ["assignee"],
    message: "Name a member, or take it yourself with person: true.",
  });

/** POST `/api/boards/{id}/tasks/{taskId}/result`: the work of the person who took the card. */
export const HandInBody = z.strictObject({ result: z.string().trim().min(1, "Describe the result.").max(32_768) });

/** `accept: false` sends it back; the note says why. */
export const ReviewBody = z
  .strictObject({ accept: z.boolean(), note: z.string().trim().max(4_000).optional() })
  .refine(({ accept, note }) => accept || (note ?? "") !== "", {
    path: ["note"],
    message: "Say what is missing; the member will read it.",
  });
export type ReviewBody = z.infer<typeof ReviewBody>;

/**
 * `again`: the same member tries again, or continues with the answer in `note`. `give_back`: any idle member may take
 * the card; a run working on it is stopped.
 */
export const ReopenBody = z.strictObject({
  how: z.enum(["again", "give_back"]).default("again"),
  note: z.string().trim().max(4_000).optional(),
});
export type ReopenBody = z.output<typeof ReopenBody>;

/** A card as `/api/boards` shows it. A `failed` one stays in the column Working. */
export const BoardCard = z.object({
  id: z.string(),
  number: z.number(),
  title: z.string(),
  spec: z.string(),
  dependsOn: z.array(z.string()),
  /** The member that has taken the card, or is to take it. */
  assignee: z.string().nullable(),
  /** The board's owner has taken it, or is to take it; `assignee` is then null. */
  byPerson: z.boolean(),
  status: CardStatus,
  runId: z.string().nullable(),
  /** The member's version in that run; null before it. */
  agentVersion: z.number().nullable(),
  threadId: z.string().nullable(),
  result: z.string().nullable(),
  /** The partial result of an unfinished run. */
  partial: z.string().nullable(),
  cause: z.string().nullable(),
  /** Its member's question: to the lead or, if `asks` is not null, to a person in its run. */
  question: z.string().nullable(),
  asks: z.enum(["lead", "person"]).nullable(),
  note: z.string().nullable(),
  sentBack: z.number(),
  attempts: z.number(),
  evidence: Evidence.nullable(),
  evidenceState: z.object({ ok: z.boolean(), text: z.string() }).nullable(),
  /** Of all runs that worked on the card or reviewed it; null if the price of one is unknown. */
  costUsd: z.number().nullable(),
  /** The run's current step. */
  step: z.number().nullable(),
  doing: z.string().nullable(),
  startedAt: z.string().nullable(),
  /** The current reviewer. */
  reviewer: z.object({ agentId: z.string(), runId: z.string().nullable() }).nullable(),
  acceptedBy: z.string().nullable(),
  doneAt: z.string().nullable(),
  createdAt: z.string(),
});
export type BoardCard = z.infer<typeof BoardCard>;

const Counts = z.object({
  todo: z.number(),
  working: z.number(),
  needs_you: z.number(),
  review: z.number(),
  done: z.number(),
  failed: z.number(),
});

const Amount = z.object({ usd: z.number(), tokens: z.number() });

/** A board as a list shows it. Times are ISO 8601. */
export const BoardSummary = z.object({
  id: z.string(),
  name: z.string(),
  goal: z.string(),
  lead: z.string().nullable(),
  members: z.array(z.string()),
  max_parallel: z.number(),
  review: BoardReview,
  workspace: z.enum(["own", "shared"]),
  budget: z.object({ usd: z.number().nullable(), tokens: z.number().nullable() }),
  used: Amount,
  reserved: Amount,
  /** The amounts that people have added to the budget. */
  added: Amount,
  /** A call no longer fit: no card starts, and running ones wait. */
  isBudgetReached: z.boolean(),
  counts: Counts,
  /** stopped, running, waiting (nothing runs until a person acts), idle (no card is left to do). */
  state: z.enum(["stopped", "running", "waiting", "idle"]),
  stoppedAt: z.string().nullable(),
  stoppedReason: z.string().nullable(),
  /** Null unless it was made, or last changed, with an API key. */
  apiKey: MadeByKey.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type BoardSummary = z.infer<typeof BoardSummary>;

/** GET `/api/boards`. */
export const BoardList = z.object({ boards: z.array(BoardSummary), nextCursor: z.string().nullable() });

const TeamMember = z.object({
  agentId: z.string(),
  name: z.string(),
  /** Null if the owner can no longer reach it. */
  version: z.number().nullable(),
  isLead: z.boolean(),
  state: z.enum(["idle", "working", "reviewing", "asks", "gone"]),
  cardNumber: z.number().nullable(),
  costUsd: z.number().nullable(),
});

/** GET `/api/boards/{id}`. */
export const Board = BoardSummary.extend({
  team: z.array(TeamMember),
  leadThreadId: z.string().nullable(),
  /** The todos of a lead that is an agent. */
  plan: z.array(Todo),
  /** Number of times its lead was woken, by reason. */
  woken: z.object({ results: z.number(), questions: z.number(), failures: z.number() }),
  tasks: z.array(BoardCard),
});
export type Board = z.infer<typeof Board>;

/** GET `/api/boards/{id}/tasks`. A board has at most 500 cards, so there is one page. */
export const CardList = z.object({ tasks: z.array(BoardCard), nextCursor: z.null() });
