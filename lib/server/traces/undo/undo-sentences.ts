import type { UndoAction, UndoPreview } from "@/lib/schema/traces/undo";

interface Changed {
  readonly files: number;
  readonly memory: number;
  readonly todos: boolean;
  /** Files whose earlier text is not known. */
  readonly left: number;
  /** Files that commands changed and that got no version. */
  readonly leftOut: number;
}

/** All of an undo in a sentence: what comes back, and what is left. */
export function planSentence({ files, memory, todos, left, leftOut }: Changed): string {
  const plan = todos ? "the plan" : null;
  const back = [counted(files, "file"), counted(memory, "memory document"), plan].filter((words) => words !== null);
  const stay = left === 1 ? "stays as it is" : "stay as they are";
  const unknown = left === 0 ? "" : ` ${counted(left, "file")} ${stay}: what was there before is not known.`;
  const unversioned = leftOut === 0 ? "" : ` Commands changed ${counted(leftOut, "file")} that got no version.`;
  const stays = `${unknown}${unversioned}`;
  if (back.length === 0) return `Nothing of this run can be undone.${stays}`;
  const goes = files + memory + (todos ? 1 : 0) === 1 ? "goes" : "go";
  return `${listed(back)} ${goes} back. Everything is undone or nothing is.${stays}`.replace(/^t/, "T");
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** How many files, and how many calls, a line names. */
const NAMED = 10;

interface Told {
  /** The beginning of the message that started the run. */
  readonly firstLine: string | null;
  /** `hasTarget`: something of it changes. */
  readonly files: readonly { readonly path: string; readonly action: UndoAction; readonly hasTarget: boolean }[];
  readonly todos: boolean;
  readonly cannotUndo: UndoPreview["cannotUndo"];
}

/** What the thread's lines say after the person's name, for people and for the model alike. */
export function undoneText({ firstLine, files, todos, cannotUndo }: Told) {
  const what = firstLine === null ? "this run" : `the run that answered “${firstLine}”`;
  const changes = [...some(files.map(fileText)), ...(todos ? ["the plan as before"] : [])];
  const outside = cannotUndo.map(({ tool, gist }) => (gist ? `${tool} (${gist})` : tool));
  const reached = "May have reached other systems and was not undone";
  const left = outside.length === 0 ? "" : ` ${reached}: ${some(outside).join("; ")}.`;
  return {
    words: `undid ${what}: ${changes.join(", ")}.${left}`,
    backWords: `took back that ${what} was undone: its changes are there again.`,
  };
}

function fileText({ path, action, hasTarget }: Told["files"][number]): string {
  if (!hasTarget) return `${path} left as it is`;
  if (action === "keep_both") return `${path} kept, with its earlier text beside it`;
  return `${path} ${action === "delete" ? "deleted" : "restored"}`;
}

function some(words: readonly string[]): string[] {
  const more = words.length - NAMED;
  return more > 0 ? [...words.slice(0, NAMED), `${more} more`] : [...words];
}
