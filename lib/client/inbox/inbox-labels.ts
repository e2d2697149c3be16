import {
  BellRing,
  Bot,
  CalendarClock,
  HeartPulse,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  Send,
  SquareKanban,
  Webhook,
  Workflow,
} from "lucide-react";
import { budgetTitle } from "@/lib/client/chat/asks/budget-labels";
import { approvalTitle, interruptGist } from "@/lib/client/chat/asks/interrupt-labels";
import { formatDuration } from "@/lib/schema/format-duration";
import type { AskDetail } from "@/lib/schema/inbox/ask-detail";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import type { Approval, AskSource } from "@/lib/schema/runs/interrupt";
import type { NotificationWay } from "@/lib/schema/users/notification";

type SourceKind = AskSource["kind"];

const SOURCES: Readonly<Record<SourceKind, { readonly icon: LucideIcon; readonly word: string }>> = {
  chat: { icon: MessageSquare, word: "chat" },
  api: { icon: KeyRound, word: "API" },
  subagent: { icon: Workflow, word: "subagent" },
  schedule: { icon: CalendarClock, word: "schedule" },
  heartbeat: { icon: HeartPulse, word: "heartbeat" },
  webhook: { icon: Webhook, word: "webhook" },
  channel: { icon: Send, word: "channel" },
  delegation: { icon: Workflow, word: "delegation" },
  handoff: { icon: Workflow, word: "handoff" },
  board: { icon: SquareKanban, word: "board" },
  replay: { icon: MessageSquare, word: "replay" },
};

export function sourceIcon({ source }: Pick<Approval, "source">): LucideIcon {
  return SOURCES[source?.kind ?? "chat"].icon;
}

export const NOTE_ICONS: Readonly<Record<InboxNote["kind"], LucideIcon>> = {
  schedule: CalendarClock,
  delivery: Webhook,
  board: SquareKanban,
  alert: BellRing,
  key: KeyRound,
  agent: Bot,
};

/** "schedule Release branch sync · Coder"; a chat is called by its thread's title, a draft by its agent. */
export function sourceText(
  ask: Pick<Approval, "source" | "threadTitle" | "agentName" | "subagent" | "ownerName" | "draft">,
): string {
  const { source, threadTitle, agentName, subagent, ownerName, draft } = ask;
  if (draft)
    return ["test of a draft", agentName, ...(subagent === undefined ? [] : [`subagent ${subagent}`])].join(" · ");
  const what = `${SOURCES[source?.kind ?? "chat"].word} ${source?.name ?? threadTitle ?? "New thread"}`;
  const whose = ownerName === undefined ? [] : [`a thread of ${ownerName}`];
  return [what, agentName, ...(subagent === undefined ? [] : [`subagent ${subagent}`]), ...whose].join(" · ");
}

/** What a person is asked, as the row's first line. */
export function askTitle(ask: Approval): string {
  const { kind, questions, budget, connect } = ask;
  if (budget) return budgetTitle(budget, true);
  if (connect) return `Connect to ${connect.serverId}?`;
  return kind === "question" ? (questions?.[0]?.question ?? "A question") : approvalTitle(ask);
}

/** What it is about, as the second: the call, or how a question can be answered. */
export function askGist(ask: Approval): string {
  if (ask.kind !== "question" || ask.budget || ask.connect) return interruptGist(ask);
  const { options } = ask.questions?.[0] ?? {};
  return `question · ${options === undefined ? "in words" : options.join(", ")}`;
}

/** "schedule, weekdays at 09:00"; for a message "a message of yours". */
export function startedText(
  { source, ownerName }: Pick<Approval, "source" | "ownerName">,
  when: string | null,
): string {
  const kind = source?.kind ?? "chat";
  if (kind === "chat") return ownerName === undefined ? "your message" : `a message of ${ownerName}`;
  if (kind === "api") return "an API call";
  const { word } = SOURCES[kind];
  return [source?.name ? `${word} ${source.name}` : word, ...(when === null ? [] : [when])].join(", ");
}

const WAYS: Readonly<Record<NotificationWay, string>> = {
  page: "in the page",
  push: "push",
  email: "email",
  channel: "chat",
};
const STATES: Readonly<Record<AskDetail["told"][number]["state"], string>> = {
  sent: "",
  pending: " (held back)",
  failed: " (not sent)",
  uncertain: " (may have arrived twice)",
};

/** "push on 2 devices, email (held back)"; nobody is a statement as well. */
export function toldText(told: AskDetail["told"]): string {
  const groups = Map.groupBy(told, ({ way, state }) => `${WAYS[way]}${STATES[state]}`);
  const texts = [...groups].map(([text, all]) => {
    const isMany = all[0]?.way === "push" && all.length > 1;
    return isMany ? text.replace(WAYS.push, `push on ${all.length} devices`) : text;
  });
  return texts.length === 0 ? "nobody was notified" : texts.join(", ");
}

/** "5 steps, 48 s of work, $0.091". */
export function soFarText({ steps, workedMs }: Pick<AskDetail, "steps" | "workedMs">, cost: string): string {
  return [steps === 1 ? "1 step" : `${steps} steps`, `${formatDuration(workedMs)} of work`, cost].join(", ");
}
