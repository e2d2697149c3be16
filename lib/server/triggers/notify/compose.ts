import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { isNoteKind, type NoteKind } from "@/lib/schema/inbox/inbox-note";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { NotificationSubject } from "@/lib/schema/triggers/outgoing-target";
import type { NotificationDetail, NotificationKind } from "@/lib/schema/users/notification";
import { type ApprovalRow, toInterrupt } from "@/lib/server/engine/asks/approval-row";
import type { Database } from "@/lib/server/platform/db/database";
import { DeliveryDropped } from "@/lib/server/triggers/targets/delivery-sender";
import { callQuestion, callText, cut } from "./call-text";

const TITLE_CHARACTERS = 80;
const BODY_CHARACTERS = 300;

/** A notification's text. */
export interface Composed {
  readonly threadId: string;
  readonly title: string;
  readonly body: string;
  /** The page that it opens. */
  readonly path: string;
  /**
   * The approval that may be denied from the notification, and allowed if the body shows the whole call; null: neither.
   */
  readonly decides: { readonly approvalId: string; readonly mayAllow: boolean } | null;
}

interface About {
  readonly runId: string;
  readonly subject: NotificationSubject;
  readonly words: NotificationDetail;
}

const SHORT: Readonly<Record<NotificationKind, string>> = {
  decision: "Something is waiting for you",
  budget: "Something is waiting for you",
  finished: "A run has finished",
  failed: "A run has failed",
  schedule: "A schedule was missed or paused",
  delivery: "A delivery was given up",
  board: "A board is done",
  alert: "An alert on runs has changed",
};

/** The text about an agent whose run has ended. */
const ENDED: Readonly<Record<Exclude<NotificationKind, NoteKind>, string>> = {
  decision: "has finished",
  finished: "has finished",
  failed: "has failed",
  budget: "has reached a budget",
};

/** Throws `DeliveryDropped` if there is nothing to report any more. */
export async function composeNotification(database: Database, about: About): Promise<Composed> {
  const { noteId, kind } = about.subject;
  if (noteId !== undefined) return composeNote(database, noteId, about);
  if (isNoteKind(kind)) throw new Error("The notification names no note.");
  return composeOfRun(database, { ...about, kind });
}

/** A note that its person is done with is not sent any more. */
async function composeNote(database: Database, id: string, { subject, words }: About): Promise<Composed> {
  const note = await database.inboxNote.findUnique({ where: { id } });
  if (!note || note.doneAt !== null) throw new DeliveryDropped("Not sent: by then it was marked as done.");
  const place = { threadId: "", path: note.path, decides: null };
  if (words === "short") return { ...place, title: SHORT[subject.kind], body: "" };
  const said = words === "full" ? [note.source, note.detail].filter(Boolean).join("\n") : note.source;
  return { ...place, title: cut(note.title, TITLE_CHARACTERS), body: cut(said, BODY_CHARACTERS) };
}

interface OfRun extends About {
  readonly kind: Exclude<NotificationKind, NoteKind>;
}

async function composeOfRun(database: Database, { runId, subject, words, kind }: OfRun): Promise<Composed> {
  const run = await database.run.findUnique({
    where: { id: runId },
    select: {
      threadId: true,
      assistantMessageId: true,
      errorMessage: true,
      notice: true,
      agentVersion: { select: { config: true } },
      thread: { select: { title: true, deletedAt: true } },
    },
  });
  if (!run || run.thread.deletedAt !== null) throw new DeliveryDropped("Not sent: the thread was deleted.");
  const { threadId } = run;
  const agentName = AgentConfig.pick({ name: true }).strip().parse(JSON.parse(run.agentVersion.config)).name;
  const who = run.thread.title === null ? agentName : `${agentName}, in “${run.thread.title}”`;
  const approval = await openApproval(database, subject);
  const place = { threadId, path: approval ? "/inbox" : `/threads/${threadId}` };
  const mayDeny = approval?.kind === "approval";
  const hidden = mayDeny && approval ? { approvalId: approval.id, mayAllow: false } : null;
  if (words === "short") return { ...place, title: SHORT[kind], body: "", decides: hidden };
  const heading = cut(`${agentName} ${approval ? "is waiting for you" : ENDED[kind]}`, TITLE_CHARACTERS);
  if (words === "who") return { ...place, title: heading, body: cut(who, BODY_CHARACTERS), decides: hidden };
  if (approval === null) {
    const said =
      kind === "finished" ? await lastMessage(database, run) : failureText(run.errorMessage ?? run.notice ?? "");
    return { ...place, title: heading, body: cut(said || who, BODY_CHARACTERS), decides: null };
  }
  const { title, text, isWhole } = question(approval);
  const decides = mayDeny ? { approvalId: approval.id, mayAllow: isWhole } : null;
  return { ...place, title: cut(title, TITLE_CHARACTERS), body: `${cut(who, 120)}\n${text}`, decides };
}

async function openApproval(database: Database, { approvalId }: NotificationSubject): Promise<ApprovalRow | null> {
  if (approvalId === undefined) return null;
  const row = await database.approval.findUnique({ where: { id: approvalId } });
  if (row?.status === "pending") return row;
  throw new DeliveryDropped("Not sent: by then it was decided.");
}

function question(row: ApprovalRow): { readonly title: string; readonly text: string; readonly isWhole: boolean } {
  const interrupt = toInterrupt(row);
  const { kind, tool, args, questions, connect, budget } = interrupt;
  if (kind === "question")
    return { title: questions?.[0]?.question ?? "A question", text: "Answer it in the inbox.", isWhole: false };
  if (connect) return { title: `Connect to ${connect.serverId}?`, text: "Your own account is needed.", isWhole: false };
  if (budget) return { title: "A budget is reached", text: "Add to it, or stop the run.", isWhole: false };
  return { title: callQuestion(interrupt), ...callText(tool, args) };
}

/** The run's last message. */
async function lastMessage(
  database: Database,
  run: { readonly assistantMessageId: string; readonly notice: string | null },
): Promise<string> {
  const message = await database.transcriptMessage.findUnique({
    where: { id: run.assistantMessageId },
    select: { text: true },
  });
  return message?.text.trim() || (run.notice ?? "");
}
