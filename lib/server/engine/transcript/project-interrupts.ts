import type {
  ApprovalData,
  BudgetData,
  ConnectData,
  MessageMetadata,
  QuestionData,
} from "@/lib/schema/messages/ui-message";
import type { InterruptDecision } from "@/lib/schema/runs/interrupt";
import type { RunEvent, RunEventType } from "@/lib/schema/runs/run-event";
import { type ChatChunk, closePart, type UiState } from "./ui-projection-state";

type Event<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

/** How a message shows a call that waits for a person, keyed by `kind:toolCallId`. */
export type ShownInterrupt =
  | { readonly kind: "approval"; readonly data: ApprovalData }
  | { readonly kind: "question"; readonly data: QuestionData }
  | { readonly kind: "budget"; readonly data: BudgetData }
  | { readonly kind: "connect"; readonly data: ConnectData };

const OUTCOMES = {
  allow: "approved",
  deny: "denied",
  edit: "edited",
  answer: "answered",
  declined: "declined",
  expired: "expired",
} as const satisfies Record<InterruptDecision["decision"], string>;

/** Shows the call's card before it can be decided. If it is asked again after a takeover, the card is the same. */
export function showApproval(
  { type: _, step: __, ...asked }: Event<"approval.requested">,
  state: UiState,
  at: number,
): ChatChunk[] {
  const requestedAtMs = state.interrupts.get(`approval:${asked.toolCallId}`)?.data.requestedAtMs ?? at;
  const data: ApprovalData = { ...asked, status: "requested", requestedAtMs };
  return [...closePart(state), show(state, { kind: "approval", data })];
}

export function showQuestion(
  { toolCallId, questions, expiresAt }: Event<"question.asked">,
  state: UiState,
  at: number,
): ChatChunk[] {
  const requestedAtMs = state.interrupts.get(`question:${toolCallId}`)?.data.requestedAtMs ?? at;
  const until = expiresAt === undefined ? {} : { expiresAt };
  const data: QuestionData = { toolCallId, questions, ...until, status: "requested", requestedAtMs };
  return [...closePart(state), show(state, { kind: "question", data })];
}

export function showBudget(
  { type: _, step: __, ...asked }: Event<"budget.reached">,
  state: UiState,
  requestedAtMs: number,
): ChatChunk[] {
  const data: BudgetData = { ...asked, status: "requested", requestedAtMs };
  return [...closePart(state), show(state, { kind: "budget", data })];
}

export function showConnect(
  { type: _, step: __, ...asked }: Event<"connect.asked">,
  state: UiState,
  at: number,
): ChatChunk[] {
  const requestedAtMs = state.interrupts.get(`connect:${asked.toolCallId}`)?.data.requestedAtMs ?? at;
  const data: ConnectData = { ...asked, status: "requested", requestedAtMs };
  return [...closePart(state), show(state, { kind: "connect", data })];
}

/** From now on the cards can be decided. */
export function showWaiting({ interrupts }: Event<"run.waiting">, state: UiState, runId: string): ChatChunk[] {
  const cards = interrupts.flatMap(({ kind, toolCallId }) => {
    const shown = state.interrupts.get(`${kind}:${toolCallId}`);
    return shown ? [show(state, withStatus(shown, { status: "pending" }))] : [];
  });
  return [...closePart(state), ...cards, statusMetadata(runId, "waiting")];
}

export function showDecision(event: Event<"interrupt.decided">, state: UiState, at: number): ChatChunk[] {
  const shown = state.interrupts.get(`${event.kind}:${event.toolCallId}`);
  if (!shown) return [];
  const note = event.reason === undefined ? {} : { note: event.reason };
  const by = event.byName === undefined ? {} : { decidedBy: event.byName };
  const via = event.via === undefined ? {} : { decidedVia: event.via };
  const facts = { status: OUTCOMES[event.decision], decidedAtMs: at, ...by, ...via, ...note };
  if (shown.kind === "question") {
    const answers = event.answers === undefined ? {} : { answers: event.answers };
    return [show(state, withStatus(shown, { ...facts, ...answers }))];
  }
  if (shown.kind === "budget") {
    return [
      show(
        state,
        withStatus(shown, {
          ...facts,
          ...(event.args === undefined || event.decision !== "allow" ? {} : { added: event.args }),
        }),
      ),
    ];
  }
  if (shown.kind === "connect") return [show(state, withStatus(shown, facts))];
  const edited = event.args === undefined ? {} : { editedArgs: event.args };
  const pattern = event.pattern === undefined ? {} : { pattern: event.pattern };
  const scope = event.scope === undefined ? {} : { scope: event.scope, ...pattern };
  return [show(state, withStatus(shown, { ...facts, ...edited, ...scope }))];
}

/** Closes undecided asks as declined, because the run has ended. */
export function closeInterrupts(state: UiState, at: number): ChatChunk[] {
  const open = [...state.interrupts.values()].filter(({ data }) => /^(requested|pending)$/.test(data.status));
  return open.map((shown) => show(state, withStatus(shown, { status: "declined", decidedAtMs: at })));
}

export function statusMetadata(runId: string, status: "running" | "waiting"): ChatChunk {
  const metadata: Partial<MessageMetadata> = { runId, status };
  return { type: "message-metadata", messageMetadata: metadata as MessageMetadata };
}

function withStatus(shown: ShownInterrupt, facts: object): ShownInterrupt {
  return { ...shown, data: { ...shown.data, ...facts } } as ShownInterrupt;
}

function show(state: UiState, shown: ShownInterrupt): ChatChunk {
  const { toolCallId } = shown.data;
  state.interrupts.set(`${shown.kind}:${toolCallId}`, shown);
  switch (shown.kind) {
    case "approval":
      return { type: "data-approval", id: toolCallId, data: shown.data };
    case "question":
      return { type: "data-question", id: toolCallId, data: shown.data };
    case "budget":
      return { type: "data-budget", id: toolCallId, data: shown.data };
    case "connect":
      return { type: "data-connect", id: toolCallId, data: shown.data };
  }
}
