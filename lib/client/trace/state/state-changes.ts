import type { Todo } from "@/lib/schema/runs/todo";
import type { RunState, StateFile } from "@/lib/schema/traces/run-state";

export const STATE_PARTS = ["files", "plan", "memory", "summary", "prompt", "tools", "rules"] as const;
export type StatePart = (typeof STATE_PARTS)[number];

export type ChangeKind = "added" | "changed" | "removed";

/** A thing of the state with how it differs from the compared one; null if it does not. */
export interface Compared<Item> {
  readonly item: Item;
  readonly change: ChangeKind | null;
}

/** How a state differs from that of another step. Unknown parts and those without another state have no changes. */
export interface StateChanges {
  readonly files: readonly Compared<StateFile>[];
  readonly plan: readonly Compared<Todo>[];
  readonly memory: readonly Compared<{ readonly path: string; readonly version: number }>[];
  readonly tools: readonly Compared<string>[];
  /** How many things of each part differ. */
  readonly counts: Readonly<Record<StatePart, number>>;
}

export function stateChanges(state: RunState, other: RunState | null): StateChanges {
  const files = compared(state.files, other?.files, ({ path }) => path, sameFile);
  const plan = compared(state.todos, other?.todos, ({ id }) => id, sameTodo);
  const memory = compared(state.memory, other?.memory, ({ path }) => path, sameVersion);
  const tools = compared(
    state.toolNames,
    other?.toolNames,
    (name) => name,
    () => true,
  );
  const differs = (read: (of: RunState) => unknown) =>
    other !== null && JSON.stringify(read(state)) !== JSON.stringify(read(other)) ? 1 : 0;
  const rules = state.rules && other?.rules ? differs((of) => of.rules) : 0;
  const grants = state.grants && other?.grants ? grantChanges(state.grants, other.grants) : 0;
  return {
    files: files.toSorted((one, next) => (one.item.path < next.item.path ? -1 : 1)),
    plan,
    memory,
    tools,
    counts: {
      files: countChanged(files),
      plan: countChanged(plan),
      memory: countChanged(memory),
      summary: differs((of) => of.summary),
      prompt: state.promptHash && other?.promptHash ? differs((of) => of.promptHash) : 0,
      tools: countChanged(tools),
      rules: rules + grants,
    },
  };
}

/** Everything of now in its order, then what only the other has. */
function compared<Item>(
  now: readonly Item[] | null,
  before: readonly Item[] | null | undefined,
  keyOf: (item: Item) => string,
  isSame: (one: Item, other: Item) => boolean,
): Compared<Item>[] {
  if (!now) return [];
  if (!before) return now.map((item) => ({ item, change: null }));
  const others = new Map(before.map((item) => [keyOf(item), item]));
  const here = now.map((item): Compared<Item> => {
    const other = others.get(keyOf(item));
    others.delete(keyOf(item));
    if (other === undefined) return { item, change: "added" };
    return { item, change: isSame(item, other) ? null : "changed" };
  });
  return [...here, ...[...others.values()].map((item) => ({ item, change: "removed" as const }))];
}

/** A file that was cleaned up on one side differs only if its step does: its text is not known. */
function sameFile(one: StateFile, other: StateFile): boolean {
  if (one.sha256 === null || other.sha256 === null) return one.changedAtStep === other.changedAtStep;
  return one.sha256 === other.sha256;
}

function sameTodo(one: Todo, other: Todo): boolean {
  return one.title === other.title && one.status === other.status;
}

function sameVersion(one: { readonly version: number }, other: { readonly version: number }): boolean {
  return one.version === other.version;
}

function grantChanges(now: readonly string[], before: readonly string[]): number {
  return now.filter((id) => !before.includes(id)).length + before.filter((id) => !now.includes(id)).length;
}

function countChanged(items: readonly Compared<unknown>[]): number {
  return items.filter(({ change }) => change !== null).length;
}
