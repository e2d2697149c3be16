import type { RunEvent } from "@/lib/schema/run-event";

/** The text of a run as one reply: the texts of its steps, a blank line between them. */
export interface CompletionText {
  /** Takes the next event and returns the text to send for it. Throws TextTakenBack for a reset of text that was sent. */
  push(event: RunEvent): string;
  /** Everything that was returned so far. */
  readonly text: string;
}

/** A retry would take back text that a client of `/v1` already has: there the reply fails instead. */
export class TextTakenBack extends Error {
  override readonly name = "TextTakenBack";
}

/** Folds events into text; a reset takes back its step as long as nobody was promised the text (`allowReset`). */
export function completionText(allowReset: "reset allowed" | "already sent"): CompletionText {
  const steps = new Map<number, string>();
  const join = () => [...steps.values()].filter((text) => text !== "").join("\n\n");
  return {
    push(event) {
      if (event.type === "step.reset") return reset(steps, event.step, allowReset);
      if (event.type !== "text.delta") return "";
      const isFirst = !steps.get(event.step);
      const separator = isFirst && join() !== "" ? "\n\n" : "";
      steps.set(event.step, (steps.get(event.step) ?? "") + event.delta);
      return separator + event.delta;
    },
    get text() {
      return join();
    },
  };
}

function reset(steps: Map<number, string>, step: number, allowReset: "reset allowed" | "already sent"): string {
  if (steps.get(step) && allowReset === "already sent") {
    throw new TextTakenBack("The model failed in the middle of its reply. Send the request again.");
  }
  steps.delete(step);
  return "";
}
