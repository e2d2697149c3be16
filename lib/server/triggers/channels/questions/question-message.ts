import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { NotificationDetail } from "@/lib/schema/users/notification";
import { type ApprovalRow, toInterrupt } from "@/lib/server/engine/asks/approval-row";
import type { Database } from "@/lib/server/platform/db/database";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { callQuestion, callText } from "@/lib/server/triggers/notify/call-text";

/** A run's question as a chat message. */
export interface QuestionText {
  readonly text: string;
  /** An approval that may be denied in the chat, and allowed if the whole call is shown there. */
  readonly decides: { readonly mayAllow: boolean } | null;
  /** The answers to choose from, if a single press answers everything. */
  readonly options: readonly string[];
}

/** Room for the text around the call in its message. */
const MARGIN = 400;
/** More buttons can't be taken in at a glance. */
const MOST_OPTIONS = 8;

export function questionText(row: ApprovalRow, agent: string, limit: number): QuestionText {
  const interrupt = toInterrupt(row);
  const foot = `asked by ${agent}`;
  if (interrupt.kind === "question") return choices(interrupt, foot);
  if (interrupt.connect)
    return plain(`**Connect to ${interrupt.connect.serverId}?**\nYour own account is needed.`, foot);
  if (interrupt.budget) return plain("**A budget is reached**\nAdd to it, or stop the run.", foot);
  const { tool, args } = interrupt;
  const { text, isWhole } = callText(tool, args, limit - MARGIN);
  // A fence inside the call would end the code block that shows it.
  const isShown = isWhole && !text.includes("```");
  const call = isShown ? `\`\`\`\n${text}\n\`\`\`` : "The whole call is on the page.";
  return { text: `**${callQuestion(interrupt)}**\n${call}\n${foot}`, decides: { mayAllow: isShown }, options: [] };
}

/** A question as a notification that says no more than the person has chosen: it may be denied unseen. */
export function noticeText(row: ApprovalRow, agent: string, words: Exclude<NotificationDetail, "full">): QuestionText {
  const text = words === "short" ? "**Something is waiting for you**" : `**${agent} is waiting for you**`;
  return { text, decides: row.kind === "approval" ? { mayAllow: false } : null, options: [] };
}

function plain(text: string, foot: string): QuestionText {
  return { text: `${text}\n${foot}`, decides: null, options: [] };
}

function choices({ questions = [] }: Interrupt, foot: string): QuestionText {
  const text = questions.map(({ question }) => `**${question}**`).join("\n");
  const [only, ...others] = questions;
  const isOneChoice = only !== undefined && others.length === 0 && !only.multiple;
  const options = isOneChoice ? (only.options ?? []) : [];
  return { text: `${text}\n${foot}`, decides: null, options: options.length > MOST_OPTIONS ? [] : options };
}

const WAYS: Readonly<Record<string, string>> = {
  page: "in the browser",
  inbox: "in the browser",
  api: "over the API",
  push: "from a notification",
};
const OUTCOMES: Readonly<Record<string, string>> = {
  approved: "✓ Allowed",
  edited: "✓ Edited and allowed",
  denied: "Denied",
  answered: "✓ Answered",
};

/** The text that replaces the buttons: "✓ Allowed by Ana in the browser", "Denied by Ana here, 14:31". */
export async function outcomeText(database: Database, row: ApprovalRow, userId: string): Promise<string> {
  const outcome = OUTCOMES[row.status];
  if (outcome === undefined) return closedText(database, row);
  const by = row.decidedBy
    ? await database.user.findUnique({ where: { id: row.decidedBy }, select: { name: true } })
    : null;
  const way =
    row.decidedVia === "channel" ? `here, ${clock(row.decidedAt ?? new Date(), userId)}` : WAYS[row.decidedVia ?? ""];
  return [outcome, by && `by ${firstName(by.name)}`, way].filter(Boolean).join(" ");
}

async function closedText(database: Database, row: ApprovalRow): Promise<string> {
  if (row.status === "expired") return "No longer open: nobody decided in time";
  const run = await database.run.findUnique({ where: { id: row.runId }, select: { status: true } });
  return run?.status === "cancelled"
    ? "No longer open: the run was stopped"
    : "No longer open: another message came instead";
}

export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] || name;
}

function clock(at: Date, userId: string): string {
  const timeZone = timeZoneOfUser(userId) ?? serverTimeZone();
  return at.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
}
