import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";

export const TEAM_TASKS = "team_tasks";

/** A card as written by a lead; other cards are referred to by number. */
export interface TeamCard {
  readonly title?: string;
  readonly spec?: string;
  readonly assignee?: string | null;
  readonly dependsOn?: readonly number[];
  readonly evidence?: { readonly file: string } | { readonly command: string };
}

/** The board, from the point of view of one of its team. Every method throws errors that say what to do instead. */
export interface TeamBoard {
  list(): Promise<string>;
  create(card: TeamCard): Promise<string>;
  edit(number: number, card: TeamCard): Promise<string>;
  remove(number: number): Promise<string>;
  reopen(number: number, how: "again" | "give_back", note?: string): Promise<string>;
  review(number: number | null, accept: boolean, note: string): Promise<string>;
  ask(question: string): Promise<string>;
}

export type TeamRole = "lead" | "work" | "review";

const ACTIONS = {
  lead: ["list", "create", "edit", "remove", "answer", "try_again", "give_back", "accept", "send_back"],
  work: ["list", "ask"],
  review: ["list", "accept", "send_back"],
} as const satisfies Readonly<Record<TeamRole, readonly string[]>>;

type Action = (typeof ACTIONS)[TeamRole][number];

const DESCRIPTIONS: Readonly<Record<TeamRole, string>> = {
  lead: "The board that you lead: list its cards; create, edit or remove one; answer a member's question; let a failed card be tried again or given to any member; accept a result in review or send it back with a note. Members take free cards by themselves.",
  work: "The board that your card belongs to: list its cards, or ask its lead a question when you can't go on without a decision. After ask, end your turn: you get the card back with the answer.",
  review:
    "The board: list its cards; accept the result that you review, or send it back with a note that says what is missing. Decide once.",
};

const Input = z.object({
  action: z.string(),
  card: z.number().int().min(1).optional().describe("The number of the card"),
  title: z.string().min(1).max(200).optional().describe("For create and edit"),
  spec: z.string().max(16_384).optional().describe("For create and edit: all that a member has to know"),
  assignee: z.string().max(200).optional().describe("For create and edit: a member's id; leave it out for any member"),
  depends_on: z
    .array(z.number().int().min(1))
    .max(100)
    .optional()
    .describe("For create and edit: numbers of cards that come first"),
  evidence_file: z.string().max(500).optional().describe("For create and edit: a file that has to exist at the end"),
  evidence_command: z.string().max(2_000).optional().describe("For create and edit: a command that has to end with 0"),
  note: z.string().max(4_000).optional().describe("For send_back, answer, try_again, give_back and ask: what you say"),
});

/** The board tool of leads, members at work and reviewers; each role is offered its own actions. */
export function teamTasksTool(board: TeamBoard, role: TeamRole): Tool {
  const actions: readonly Action[] = ACTIONS[role];
  return defineTool({
    name: TEAM_TASKS,
    description: DESCRIPTIONS[role],
    input: Input.extend({ action: z.enum(ACTIONS[role]) }),
    question: "Change the board?",
    // The command later runs in a member's sandbox, so storing it asks if running commands asks.
    approvalOf: ({ evidence_command: command }) => (typeof command === "string" ? undefined : "never"),
    gist: ({ action, card, title }) => [action, card, title].filter((word) => word !== undefined).join(" "),
    execute: (input) => perform(board, actions, input),
  });
}

type Given = z.output<typeof Input>;

async function perform(board: TeamBoard, actions: readonly string[], input: Given): Promise<string> {
  const { action, note = "" } = input;
  if (!actions.includes(action)) throw new Error(`Choose one of the actions ${actions.join(", ")}.`);
  switch (action as Action) {
    case "list":
      return board.list();
    case "create":
      if (input.title === undefined) throw new Error("Give the card a `title`.");
      return board.create(cardOf(input));
    case "edit":
      return board.edit(numberOf(input), cardOf(input));
    case "remove":
      return board.remove(numberOf(input));
    case "answer":
      if (note.trim() === "") throw new Error("Write the answer into `note`.");
      return board.reopen(numberOf(input), "again", cleanText(note));
    case "try_again":
      return board.reopen(numberOf(input), "again", cleanText(note));
    case "give_back":
      return board.reopen(numberOf(input), "give_back", cleanText(note));
    case "ask":
      if (note.trim() === "") throw new Error("Write the question into `note`.");
      return board.ask(cleanText(note));
    default:
      if (action === "send_back" && note.trim() === "") throw new Error("Say in `note` what is missing.");
      return board.review(input.card ?? null, action === "accept", cleanText(note));
  }
}

function numberOf({ card }: Given): number {
  if (card === undefined) throw new Error("Give the number of the `card`; the action list shows them.");
  return card;
}

function cardOf(input: Given): TeamCard {
  const { title, spec, assignee, depends_on: dependsOn, evidence_file: file, evidence_command: command } = input;
  if (file !== undefined && command !== undefined) {
    throw new Error("Name one evidence: `evidence_file` or `evidence_command`.");
  }
  return {
    ...(title === undefined ? {} : { title: cleanText(title) }),
    ...(spec === undefined ? {} : { spec: cleanText(spec) }),
    ...(assignee === undefined ? {} : { assignee: assignee === "" ? null : assignee }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    ...(file === undefined ? {} : { evidence: { file } }),
    ...(command === undefined ? {} : { evidence: { command } }),
  };
}
