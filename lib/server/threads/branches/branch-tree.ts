import type { TreeRun } from "@/lib/server/platform/db/queries/paths";

/** A message of the transcript and its run. */
interface TreeMessage {
  readonly id: string;
  readonly runId: string;
  readonly role: string;
}

/** A message's place in the tree, as `BRANCH_PLACE` describes it. */
export interface BranchPlace {
  readonly parentId: string | null;
  readonly siblings?: string[];
  readonly index?: number;
}

/** The tree of a thread's runs and their messages. */
export class BranchTree {
  private readonly runs: ReadonlyMap<string, TreeRun>;
  private readonly children = new Map<string | null, TreeRun[]>();
  private readonly ofRun = new Map<string, TreeMessage[]>();
  private readonly runOfMessage = new Map<string, string>();

  /** Both in order of acceptance. */
  constructor(runs: readonly TreeRun[], messages: readonly TreeMessage[]) {
    this.runs = new Map(runs.map((run) => [run.id, run]));
    for (const run of runs) {
      push(this.children, run.afterRunId, run);
      this.runOfMessage.set(run.assistantMessageId, run.id);
    }
    for (const message of messages) {
      push(this.ofRun, message.runId, message);
      this.runOfMessage.set(message.id, message.runId);
    }
  }

  /** The run that a message belongs to; a reply still being written counts. */
  runOf(messageId: string): TreeRun | null {
    return this.runs.get(this.runOfMessage.get(messageId) ?? "") ?? null;
  }

  /** The path ending with the run, first run first. */
  pathTo(leafRunId: string | null): TreeRun[] {
    const path: TreeRun[] = [];
    for (let run = this.runs.get(leafRunId ?? ""); run; run = this.runs.get(run.afterRunId ?? "")) path.push(run);
    return path.reverse();
  }

  /** The newest run below this one, or this run if there is none. */
  newestLeaf(run: TreeRun): TreeRun {
    let leaf = run;
    for (let next = this.children.get(leaf.id)?.at(-1); next; next = this.children.get(leaf.id)?.at(-1)) leaf = next;
    return leaf;
  }

  /** The first run of the run's turn, started by the person's message. */
  turnOf(run: TreeRun): TreeRun {
    let first = run;
    while (this.asked(first) === undefined) {
      const before = this.runs.get(first.afterRunId ?? "");
      if (!before) break;
      first = before;
    }
    return first;
  }

  place(messageId: string): BranchPlace {
    const run = this.runOf(messageId);
    if (!run) return { parentId: null };
    const own = this.ofRun.get(run.id) ?? [];
    const at = own.findIndex(({ id }) => id === messageId);
    const parentId = own[(at === -1 ? own.length : at) - 1]?.id ?? this.lastBefore(run);
    return { parentId, ...this.versions(messageId, run) };
  }

  /**
   * The messages that begin a turn at the run's position, each with the runs that answered it; null if there is only
   * one answer.
   */
  versionsAt(run: TreeRun): { readonly messageId: string; readonly answers: TreeRun[] }[][] | null {
    if (this.asked(run) === undefined) return null;
    const groups = new Map<string, { messageId: string; answers: TreeRun[] }>();
    for (const turn of this.turnsAt(run.afterRunId)) {
      const known = groups.get(groupOf(turn));
      if (known) known.answers.push(turn);
      groups.set(groupOf(turn), { messageId: this.asked(turn) ?? "", answers: known?.answers ?? [turn] });
    }
    const versions = [...groups.values()];
    return versions.flatMap(({ answers }) => answers).length > 1 ? [versions] : null;
  }

  private versions(messageId: string, run: TreeRun): Omit<BranchPlace, "parentId"> {
    if (messageId === this.asked(run)) return this.wordings(run);
    const isReply = messageId === run.assistantMessageId;
    const isContinued = (this.children.get(run.id) ?? []).some((next) => this.asked(next) === undefined);
    return isReply && !isContinued ? this.replies(this.turnOf(run)) : {};
  }

  /** The messages that begin a turn at the same place, each with its newest answer. */
  private wordings(run: TreeRun): Omit<BranchPlace, "parentId"> {
    const groups = new Map<string, string>();
    for (const turn of this.turnsAt(run.afterRunId)) groups.set(groupOf(turn), this.asked(turn) ?? "");
    return listed([...groups.values()], [...groups.keys()].indexOf(groupOf(run)));
  }

  /** The answers to the same message. */
  private replies(turn: TreeRun): Omit<BranchPlace, "parentId"> {
    const answers = this.turnsAt(turn.afterRunId).filter((other) => groupOf(other) === groupOf(turn));
    const ids = answers.map((answer) => answer.assistantMessageId);
    return listed(ids, answers.indexOf(turn));
  }

  private turnsAt(afterRunId: string | null): TreeRun[] {
    return (this.children.get(afterRunId) ?? []).filter((run) => this.asked(run) !== undefined);
  }

  /** The person's message that started the run. */
  private asked(run: TreeRun): string | undefined {
    return this.ofRun.get(run.id)?.find(({ role }) => role === "user")?.id;
  }

  private lastBefore(run: TreeRun): string | null {
    for (let before = this.runs.get(run.afterRunId ?? ""); before; before = this.runs.get(before.afterRunId ?? "")) {
      const last = this.ofRun.get(before.id)?.at(-1);
      if (last) return last.id;
    }
    return null;
  }
}

/** Runs that answer the same message. */
function groupOf(run: TreeRun): string {
  return run.regeneratesRunId ?? run.id;
}

function listed(siblings: string[], index: number): Omit<BranchPlace, "parentId"> {
  return siblings.length > 1 ? { siblings, index } : {};
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
