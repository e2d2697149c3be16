import type { UserMessage } from "@/lib/schema/messages/message";
import type { RunSession } from "./run-session";

/** What people write to a run while it is going on (D-89). */
export interface Steering {
  /** False: nothing has arrived since the last look. To ask costs nothing. */
  readonly mayHave: boolean;
  /** Whether anything is there that no step has read. */
  isUnread(): Promise<boolean>;
  /** What is unread, in order; the step reads it from now on, which is stored when this resolves. */
  take(step: number): Promise<readonly UserMessage[]>;
}

/**
 * Adds to the conversation what this step is the first to read, before its model is asked: never between a call and its
 * result. True when there was anything. A call that an earlier segment had begun is repeated as it was.
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

/** Whether the run continues although this step's reply calls no tool, because a steer has arrived. */
export async function isSteeredOn(session: RunSession, step: number): Promise<boolean> {
  const { steering, config } = session.run;
  if (step < config.max_iterations) return readSteers(session, step + 1);
  return steering?.mayHave ? steering.isUnread() : false;
}
