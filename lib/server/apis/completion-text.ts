import type { RunEvent } from "@/lib/schema/runs/run-event";
import { SharedError } from "@/lib/schema/shared-error";

/** The text of a run as one reply: the texts of its steps, separated by a blank line. */
export interface CompletionText {
  /** Takes the next event and returns the text to send for it. Throws TextTakenBack for a reset of text that was sent. */
  push(event: RunEvent): string;
  /** Everything returned so far. */
  readonly text: string;
  /** The text the agent gives if its last reply has none (D-69). */
  readonly defaultResponse: string | undefined;
  /** The last reply is truncated: it reached the model's output limit. */
  readonly isCut: boolean;
}

/**
 * A retry would void text that a client of `/v1` already has, so the reply fails instead. A reply that turns out to be
 * silent (D-57) has nothing to replace that text, so it just ends.
 */
export class TextTakenBack extends SharedError {
  static override readonly kind = "TextTakenBack";
}

/** Folds events into text; a reset voids its step unless the text has already been delivered (`allowReset`). */
export function completionText(allowReset: "reset allowed" | "already sent"): CompletionText {
  const steps = new Map<number, string>();
  let isTakenBack = false;
  let isCut = false;
  let defaultResponse: string | undefined;
  const join = () => [...steps.values()].filter((text) => text !== "").join("\n\n");
  const append = (step: number, delta: string) => {
    const separator = !steps.get(step) && join() !== "" ? "\n\n" : "";
    steps.set(step, (steps.get(step) ?? "") + delta);
    return separator + delta;
  };
  const voidStreamed = (step: number) => {
    isTakenBack = allowReset === "already sent" && Boolean(steps.get(step));
    if (!isTakenBack) steps.delete(step);
    return "";
  };
  return {
    push(event) {
      if (isTakenBack && !endsSilently(event)) {
        throw new TextTakenBack("The model failed in the middle of its reply. Send the request again.");
      }
      if (event.type === "step.reset") return voidStreamed(event.step);
      if (event.type === "run.completed") defaultResponse = event.defaultResponse;
      if (event.type === "model.completed") isCut = event.reply.finishReason === "length";
      return event.type === "text.delta" ? append(event.step, event.delta) : "";
    },
    get text() {
      return join();
    },
    get defaultResponse() {
      return defaultResponse;
    },
    get isCut() {
      return isCut;
    },
  };
}

/** Whether an event comes between the reset of a silent reply and the end of the run. */
function endsSilently(event: RunEvent): boolean {
  if (event.type === "model.completed") return event.reply.silent === true;
  return event.type === "reasoning.delta" || event.type === "run.completed";
}
