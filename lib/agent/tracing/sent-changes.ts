import type { SentChanges } from "@/lib/agent/model";

type Changes = SentChanges["left_out"];

/** What was sent otherwise in the latest attempt, as span attributes. */
export class ChangesRecord {
  #changes: SentChanges = { left_out: {}, rewritten: {} };

  /** The attributes after this part of the way has told its changes; null where an earlier attempt had some. */
  add(changes: SentChanges): Record<string, unknown> {
    const before = attributesOf(this.#changes);
    this.#changes = {
      left_out: { ...this.#changes.left_out, ...changes.left_out },
      rewritten: { ...this.#changes.rewritten, ...changes.rewritten },
    };
    const gone = Object.fromEntries(Object.keys(before).map((name) => [name, null]));
    return { ...gone, ...attributesOf(this.#changes) };
  }
}

function attributesOf({ left_out: leftOut, rewritten }: SentChanges): Record<string, unknown> {
  const named = { left_out: withoutEmpty(leftOut), rewritten: withoutEmpty(rewritten) };
  return Object.fromEntries(Object.entries(named).filter(([, changes]) => Object.keys(changes).length > 0));
}

function withoutEmpty(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(([, change]) => (Array.isArray(change) ? change.length > 0 : Boolean(change))),
  );
}
