import { readConfigText } from "@/lib/client/agents/config-text/config-text";
import { type ConfigPath, isSame, overlaps, valueAt } from "@/lib/client/agents/config-text/config-values";
import { type FieldConflict, mergeDrafts, takeTheirs } from "@/lib/client/agents/config-text/merge-drafts";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { AgentDraft } from "@/lib/schema/agents/agent-draft";

/** The text's state: on the server, about to be sent, being sent, or only in this browser. */
export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  | { readonly kind: "failed"; readonly tries: number; readonly message: string };

/** A change another person saved that conflicts with mine. `fields` is null if one of the texts can't be read. */
export interface DraftConflict {
  readonly theirs: AgentDraft;
  readonly fields: readonly FieldConflict[] | null;
}

export interface DraftState {
  readonly text: string;
  /** The server's version: what the text started from, or has been saved as. */
  readonly stored: AgentDraft;
  readonly save: SaveState;
  readonly conflict: DraftConflict | null;
  /** The fields just merged into mine, and their author. */
  readonly joined: { readonly name: string | null; readonly paths: readonly ConfigPath[] } | null;
}

/** A text that is not on the server, with the version it started from. */
export interface KeptText {
  readonly text: string;
  readonly base: string;
  readonly revision: number;
}

export interface DraftSaverOptions {
  readonly stored: AgentDraft;
  /** The text this browser has kept from an earlier visit. */
  readonly kept: KeptText | null;
  readonly send: (yaml: string, revision: number) => Promise<AgentDraft>;
  readonly keep: (kept: KeptText | null) => void;
  readonly onStored: (draft: AgentDraft) => void;
}

const PAUSE_MS = 600;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * One draft as one page edits it: saved at each pause in typing, merged with what others save in the meantime, kept in
 * the browser until the server has it.
 */
export class DraftSaver {
  private state: DraftState;
  private readonly options: DraftSaverOptions;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** A request of this page is replacing the draft: nothing is saved meanwhile. */
  private isHeld = false;
  private lastReplacing: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(options: DraftSaverOptions) {
    this.options = options;
    const { stored, kept } = options;
    this.state = { text: stored.yaml, stored, save: { kind: "saved" }, conflict: null, joined: null };
    if (kept === null || kept.text === stored.yaml) return;
    this.state = { ...this.state, text: kept.text, stored: { ...stored, yaml: kept.base, revision: kept.revision } };
    if (kept.revision === stored.revision) this.schedule(0);
    else this.receive(stored);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): DraftState => this.state;

  readonly setText = (text: string): void => {
    if (text === this.state.text) return;
    this.set({ text, joined: null });
    this.keep();
    if (this.state.conflict === null) this.schedule(PAUSE_MS);
  };

  /** Saves immediately, also after a failure. */
  readonly saveNow = (): void => {
    if (this.state.conflict === null && this.isUnsaved()) this.schedule(0);
  };

  /** Handles the server's current draft; another person may have saved it. */
  readonly receive = (draft: AgentDraft): void => {
    const { stored, text, conflict } = this.state;
    // Revision 0: it was published or discarded elsewhere. Any other older revision arrived out of order.
    if (this.isSending || this.isHeld || (draft.revision !== 0 && draft.revision < stored.revision)) return;
    if (draft.revision === stored.revision && draft.yaml === stored.yaml) {
      if (conflict === null) this.set({ stored: draft });
      return;
    }
    this.join(draft, text);
  };

  /** Ends a conflict: with their values in the fields that both changed, or with mine. */
  readonly resolve = (choice: "mine" | "theirs"): void => {
    const { conflict, text } = this.state;
    if (conflict === null) return;
    const { fields, theirs } = conflict;
    const chosen = choice === "mine" ? text : fields === null ? theirs.yaml : takeTheirs(text, fields);
    this.set({ conflict: null, text: chosen });
    this.settle();
  };

  /** Resolves one field of a conflict; the conflict ends with its last field. */
  readonly resolveField = (path: ConfigPath, choice: "mine" | "theirs"): void => {
    const { conflict, text } = this.state;
    const field = conflict?.fields?.find((one) => isSame(one.path, path));
    if (conflict?.fields == null || field === undefined) return;
    const left = conflict.fields.filter((one) => one !== field);
    const chosen = choice === "mine" ? text : takeTheirs(text, [field]);
    this.set({ text: chosen, conflict: left.length === 0 ? null : { ...conflict, fields: left } });
    if (left.length === 0) this.settle();
    else this.keep();
  };

  /**
   * Runs a request of this page that replaces the draft: publish, discard, restore. A save under way ends before it and
   * none begins until it has ended; two of them run one after the other. What is typed meanwhile is kept, on top of the
   * draft that `work` returns; null leaves everything as it is.
   */
  readonly replaceBy = <Result extends { readonly draft: AgentDraft | null }>(
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const replaced = this.lastReplacing.then(() => this.replaceHeld(work));
    this.lastReplacing = replaced.catch(() => undefined);
    return replaced;
  };

  private async replaceHeld<Result extends { readonly draft: AgentDraft | null }>(
    work: () => Promise<Result>,
  ): Promise<Result> {
    clearTimeout(this.timer);
    this.isHeld = true;
    try {
      await this.idle();
      const { text } = this.state;
      const done = await work();
      if (done.draft !== null) this.replace(done.draft, text);
      return done;
    } finally {
      this.isHeld = false;
      if (this.state.conflict === null && this.isUnsaved()) this.schedule(PAUSE_MS);
    }
  }

  /** `before` is the text that the draft replaces. */
  private replace(stored: AgentDraft, before: string): void {
    const { text } = this.state;
    const joined = text === before ? null : mergeDrafts({ base: before, mine: text, theirs: stored.yaml });
    const next = text === before ? stored.yaml : (joined?.text ?? text);
    this.set({ stored, text: next, save: { kind: "saved" }, conflict: null, joined: null });
    this.options.onStored(stored);
    this.keep();
  }

  /** Resolves to true once everything typed is on the server; to false if it can't be saved. */
  readonly flush = async (): Promise<boolean> => {
    if (this.state.conflict !== null) return false;
    clearTimeout(this.timer);
    await this.idle();
    if (this.isUnsaved()) await this.send();
    return !this.isUnsaved() && this.state.conflict === null;
  };

  readonly close = (): void => {
    this.isOver = true;
    clearTimeout(this.timer);
  };

  readonly open = (): void => {
    this.isOver = false;
    if (this.isUnsaved() && this.state.conflict === null) this.schedule(PAUSE_MS);
  };

  private readonly onceIdle: (() => void)[] = [];

  private async idle(): Promise<void> {
    while (this.isSending) await new Promise<void>((resolve) => this.onceIdle.push(resolve));
  }

  private join(theirs: AgentDraft, text: string): void {
    const { stored, conflict } = this.state;
    const merged = mergeDrafts({ base: stored.yaml, mine: text, theirs: theirs.yaml });
    if (merged === null || conflict?.fields === null) {
      this.set({ stored: theirs, text, conflict: { theirs, fields: null } });
    } else {
      const known = conflict?.fields ?? [];
      const fields = [...merged.conflicts, ...stillOpen(known, merged.conflicts, merged.text, theirs.yaml)];
      const joined = merged.taken.length > 0 ? { name: theirs.updatedByName, paths: merged.taken } : null;
      this.set({ stored: theirs, text: merged.text, conflict: fields.length > 0 ? { theirs, fields } : null, joined });
    }
    this.settle();
  }

  /** After a change that nobody typed. */
  private settle(): void {
    clearTimeout(this.timer);
    this.keep();
    if (this.state.conflict !== null) this.set({ save: { kind: "waiting" } });
    else if (this.isUnsaved()) this.schedule(0);
    else this.set({ save: { kind: "saved" } });
  }

  private isUnsaved(): boolean {
    return this.state.text !== this.state.stored.yaml;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.isSending || this.isHeld) return;
    if (this.state.save.kind !== "failed") this.set({ save: { kind: "waiting" } });
    if (!this.isOver) this.timer = setTimeout(() => void this.send(), delayMs);
  }

  private async send(): Promise<void> {
    const { text, stored, save, conflict } = this.state;
    if (this.isSending || conflict !== null) return;
    if (!this.isUnsaved()) {
      this.set({ save: { kind: "saved" } });
      return;
    }
    this.isSending = true;
    this.set({ save: { kind: "saving" } });
    try {
      const draft = await this.options.send(text, stored.revision);
      this.isSending = false;
      this.accept(draft, text);
    } catch (error) {
      this.isSending = false;
      const current = conflictOf(error);
      if (current === null) this.fail(error, save.kind === "failed" ? save.tries + 1 : 1);
      else this.join(current, this.state.text);
    }
    for (const resolve of this.onceIdle.splice(0)) resolve();
  }

  private accept(draft: AgentDraft, sent: string): void {
    this.set({ stored: { ...draft, yaml: sent }, save: { kind: "saved" } });
    this.options.onStored(draft);
    this.keep();
    if (this.isUnsaved()) this.schedule(PAUSE_MS);
  }

  private fail(error: unknown, tries: number): void {
    this.set({ save: { kind: "failed", tries, message: errorMessage(error) } });
    if (!this.isOver && !this.isHeld) {
      const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
      this.timer = setTimeout(() => void this.send(), delayMs);
    }
  }

  private keep(): void {
    const { text, stored } = this.state;
    this.options.keep(this.isUnsaved() ? { text, base: stored.yaml, revision: stored.revision } : null);
  }

  private set(change: Partial<DraftState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** Earlier, undecided conflicts in which the two sides still differ. */
function stillOpen(
  known: readonly FieldConflict[],
  fresh: readonly FieldConflict[],
  mine: string,
  theirs: string,
): FieldConflict[] {
  const [ours, others] = [readConfigText(mine).config, readConfigText(theirs).config];
  return known
    .filter(({ path }) => !fresh.some((conflict) => overlaps(conflict.path, path)))
    .map(({ path }) => ({ path, mine: valueAt(ours, path), theirs: valueAt(others, path) }))
    .filter((conflict) => !isSame(conflict.mine, conflict.theirs));
}

function conflictOf(error: unknown): AgentDraft | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const { details } = error;
  if (typeof details !== "object" || details === null || !("current" in details)) return null;
  const found = AgentDraft.safeParse(details.current);
  return found.success ? found.data : null;
}
