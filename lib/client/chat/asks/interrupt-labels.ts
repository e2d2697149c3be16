import type { PermissionVerdict } from "@/lib/schema/agents/permission";
import type { ApprovalData, ConnectData, QuestionData } from "@/lib/schema/messages/ui-message";
import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { DecisionWay, Interrupt } from "@/lib/schema/runs/interrupt";
import { plainGist } from "@/lib/schema/tools/plain-gist";

/** The question that a person is asked about a call. */
export function approvalTitle({ tool, facts }: Pick<Interrupt, "tool" | "facts">): string {
  return facts?.question ?? `Call ${tool}?`;
}

/** The call's gist, in one line. */
export function askedGist({ args, facts }: Pick<Interrupt, "args" | "facts">): string {
  return facts?.gist ?? plainGist(args);
}

/** The same in one line, for lists: "execute · npm test", "asks: Which year?". */
export function interruptGist({ kind, tool, args, facts, questions, budget, connect }: Interrupt): string {
  if (budget) return budgetGist(budget);
  if (connect) return `connect to ${connect.serverId}`;
  if (kind === "question") return `asks: ${questions?.[0]?.question ?? "a question"}`;
  const gist = askedGist({ args, facts });
  return gist === "" ? tool : `${tool} · ${gist}`;
}

function budgetGist({ capUsd, capTokens }: BudgetAsk): string {
  return `budget of ${capUsd === null ? `${(capTokens ?? 0).toLocaleString("en")} tokens` : formatUsd(capUsd)} reached`;
}

/** The screen reader announcement when the agent starts waiting. */
export function askedAnnouncement({ kind, tool, questions, budget, connect }: Interrupt): string {
  if (connect) return `The agent waits for your connection to ${connect.serverId}`;
  if (budget) return `The agent waits: ${budgetGist(budget)}`;
  return kind === "question"
    ? `The agent asks: ${questions?.[0]?.question ?? "a question"}`
    : `Approval needed: ${tool}`;
}

const WAYS: Readonly<Record<DecisionWay, string>> = {
  page: "in the thread",
  inbox: "in the inbox",
  api: "over the API",
  push: "from a notification",
  channel: "in a linked chat",
  time: "",
};

type Decided = Pick<ApprovalData | QuestionData, "decidedBy" | "decidedVia">;

/** The person and way of a decision: "by Ada Admin, in the inbox"; empty if no person decided. */
export function deciderText({ decidedBy, decidedVia }: Decided): string {
  const way = decidedVia === undefined ? "" : WAYS[decidedVia];
  return [decidedBy === undefined ? "" : `by ${decidedBy}`, way].filter(Boolean).join(", ");
}

const NOBODY = "Denied by a new message or a stop: nobody answered";
const TOO_LATE = "Expired: nobody decided in time";

/** The outcome of an approval. "Nobody answered" holds whether it was another message, Stop or the end of the run. */
export function approvalText({ status, scope, pattern }: Pick<ApprovalData, "status" | "scope" | "pattern">): string {
  const what = scope === "pattern" && pattern !== undefined ? `, and commands like ${pattern} …,` : "";
  const where = scope === "thread" || scope === "pattern" ? `${what} for the whole thread` : " once";
  const texts: Record<ApprovalData["status"], string> = {
    approved: `Allowed${where}`,
    edited: `Edited and allowed${where}`,
    denied: "Denied",
    declined: NOBODY,
    expired: TOO_LATE,
    requested: "Waiting for a decision",
    pending: "Waiting for a decision",
  };
  return texts[status];
}

/** The same for questions. */
export function questionText({ status }: Pick<QuestionData, "status">): string {
  const texts: Record<QuestionData["status"], string> = {
    answered: "Answered",
    denied: "Denied",
    declined: NOBODY,
    expired: TOO_LATE,
    requested: "Waiting for an answer",
    pending: "Waiting for an answer",
  };
  return texts[status];
}

/** The same for connections. */
export function connectText({ status, connect }: Pick<ConnectData, "status" | "connect">): string {
  return status === "approved" ? `Connected to ${connect.serverId}` : approvalText({ status });
}

/** A verdict's wording and background; brass if a person is asked. */
export const VERDICT_LABELS: Readonly<Record<PermissionVerdict["verdict"], { word: string; look: string }>> = {
  allow: { word: "Runs", look: "bg-default text-ok-text" },
  ask: { word: "Asks a person", look: "bg-signal-soft text-signal-text" },
  deny: { word: "Not allowed", look: "bg-fail-soft text-fail-text" },
};

/** The deciding rule, as it is in the config: `ask: execute {"command":"npm *"}`, `mode: plan`. */
export function ruleText({ by, rule, mode }: Pick<PermissionVerdict, "by" | "rule" | "mode">): string {
  if (by === "tool") return "the tool itself";
  if (by === "address") return "the address in the call";
  if (by === "off") return "permissions.enabled: false";
  if (by === "mode") return `mode: ${mode ?? "default"}`;
  if (by === "grant") return "an allowed call of the thread";
  if (rule === undefined) return by;
  if (typeof rule === "string") return `${by}: ${rule}`;
  const args = Object.keys(rule.args).length === 0 ? "" : ` ${JSON.stringify(rule.args)}`;
  return `${by}: ${rule.tool}${args}${rule.addresses === "known" ? ", addresses: known" : ""}`;
}
