import type { UserMessage } from "@/lib/schema/messages/message";
import type { RunSession } from "./run-session";

/** The messages that people send to a run in progress (D-89). */
export interface Steering {
  /** False if nothing has arrived since the last check. Cheap to call. */
  readonly mayHave: boolean;
  /** Whether there are messages that no step has read. */
  isUnread(): Promise<boolean>;
  /** Assigns the unread messages to the step and returns them in order; resolves once the assignment is stored. */
  take(step: number): Promise<readonly UserMessage[]>;
}

/**
 * Adds the messages that this step is the first to read to the conversation, before its model call: never between a
 * call and its result. True if there were any. A model call that an earlier segment had started is repeated unchanged.
 */
export async function readSteers(session: RunSession, step: number): Promise<boolean> {
  const { run, progress, keep } = session;
  const known = progress.steeredStep >= step ? [] : (run.steered?.get(step) ?? []);
  progress.steeredStep = Math.max(progress.steeredStep, step);
  for (const message of known) keep(message);
  const isBegun = run.openStep?.step === step || run.journal.some((entry) => entry.step === step);
  const taken = !isBegun && run.steering?.mayHave ? await run.steering.take(step) : [];
  for (const message of taken) keep(message);
  return known.length + taken.length > 0;
}

/** Whether the run continues although this step's reply calls no tool, because a steering message has arrived. */
export async function isSteeredOn(session: RunSession, step: number): Promise<boolean> {
  const { steering, config } = session.run;
  if (step < config.max_iterations) return readSteers(session, step + 1);
  return steering?.mayHave ? steering.isUnread() : false;
}
