import { type Decision, type Interrupt, type Question, toWireInterrupt } from "@/lib/schema/runs/interrupt";
import { askMessage } from "@/lib/server/apis/ask-message";

/** Asks as AG-UI's interrupts; `responseSchema` describes the payload of the answer. */
export function agUiInterrupts(asks: readonly Interrupt[]) {
  return asks.map((ask) => {
    const { kind, toolCallId, expiresAt } = ask;
    return {
      id: interruptId(ask, asks),
      reason: REASONS[kind],
      message: askMessage(ask),
      ...(kind === "approval" ? { toolCallId } : {}),
      responseSchema: RESPONSES[kind](ask),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      metadata: { ringmaster: toWireInterrupt(ask) },
    };
  });
}

/** The id of the call. Subagents may use the same ones, so one that is there twice begins with its run. */
function interruptId({ toolCallId, runId }: Interrupt, asks: readonly Interrupt[]): string {
  const isAlone = asks.filter((other) => other.toolCallId === toolCallId).length === 1;
  return isAlone || runId === undefined ? toolCallId : `${runId}/${toolCallId}`;
}

/** The call that an interrupt's id names. */
export function callOfInterrupt(id: string): Pick<Decision, "tool_call_id" | "run_id"> {
  const slash = id.startsWith("run_") ? id.indexOf("/") : -1;
  return slash === -1 ? { tool_call_id: id } : { tool_call_id: id.slice(slash + 1), run_id: id.slice(0, slash) };
}

type Kind = Interrupt["kind"];

/** AG-UI's own words where it has one. */
const REASONS: Readonly<Record<Kind, string>> = {
  approval: "tool_call",
  question: "input_required",
  budget: "ringmaster:budget",
  connect: "ringmaster:connect",
};

const REASON = { type: "string", description: "Why, in words that the agent reads." };
const AMOUNT = { type: "number", exclusiveMinimum: 0 };

const RESPONSES: Readonly<Record<Kind, (interrupt: Interrupt) => Record<string, unknown>>> = {
  approval: ({ args }) =>
    payload(["allow", "edit", "deny"], {
      args: { type: "object", description: "With edit: the arguments to call it with.", default: args },
      reason: REASON,
    }),
  question: ({ questions = [] }) =>
    payload(["answer", "deny"], {
      answers: {
        type: "array",
        description: "With answer: one for each question, in order.",
        minItems: questions.length,
        maxItems: questions.length,
        prefixItems: questions.map(answerSchema),
      },
      reason: REASON,
    }),
  budget: () =>
    payload(["allow", "deny"], {
      args: {
        type: "object",
        description: "With allow: what to add.",
        properties: { add_usd: AMOUNT, add_tokens: { ...AMOUNT, type: "integer" } },
      },
      reason: REASON,
    }),
  connect: () => payload(["allow", "deny"], { reason: REASON }),
};

function payload(decisions: readonly string[], properties: Record<string, unknown>) {
  return {
    type: "object",
    properties: { decision: { enum: decisions }, ...properties },
    required: ["decision"],
    additionalProperties: false,
  };
}

function answerSchema({ question, options = [], multiple = false }: Question) {
  const one = { type: "string", ...(options.length > 0 ? { examples: options } : {}) };
  return multiple ? { type: "array", title: question, items: one } : { ...one, title: question };
}
