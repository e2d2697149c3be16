import { withoutMarks } from "@/lib/client/ui/markdown/without-marks";
import { fold } from "@/lib/schema/fold";
import type { ReadPassage, ReadRun, ReadTrace } from "@/lib/schema/traces/read-trace";
import { isFoldable, rootOf } from "./read-rows";

/** One occurrence of the words: the `nth` in its passage, from 0. */
export interface ReadMatch {
  readonly passageId: string;
  readonly nth: number;
  /** It is not drawn until its passage, or a subagent's line above it, is open. */
  readonly isFolded: boolean;
}

const texts = new WeakMap<ReadPassage, { readonly head: string; readonly body: string }>();

/** Every occurrence in reading order, also in what is folded or not mounted; in any case, with or without accents. */
export function readMatches(trace: ReadTrace, words: string): ReadMatch[] {
  const wanted = fold(words.trim());
  if (wanted === "") return [];
  const runs = new Map(trace.runs.map((run) => [run.runId, run]));
  const matches: ReadMatch[] = [];
  const visit = (run: ReadRun | undefined, isInside: boolean) => {
    for (const passage of run?.passages ?? []) {
      matches.push(...matchesIn(passage, wanted, isInside));
      for (const id of passage.kind === "call" ? passage.childRunIds : []) visit(runs.get(id), true);
    }
  };
  visit(rootOf(trace), false);
  return matches;
}

function matchesIn(passage: ReadPassage, wanted: string, isInside: boolean): ReadMatch[] {
  const { head, body } = textsOf(passage);
  const inHead = count(head, wanted);
  return Array.from({ length: inHead + count(body, wanted) }, (_, nth) => ({
    passageId: passage.id,
    nth,
    isFolded: isInside || (nth >= inHead && isFoldable(passage)),
  }));
}

function count(text: string, wanted: string): number {
  let found = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found += 1;
  return found;
}

/** The text of a passage as it is drawn: its line, and what opens below it. */
function textsOf(passage: ReadPassage): { readonly head: string; readonly body: string } {
  const known = texts.get(passage);
  if (known !== undefined) return known;
  const [head, body] = partsOf(passage);
  const folded = { head: fold(head), body: fold(body) };
  texts.set(passage, folded);
  return folded;
}

function partsOf(passage: ReadPassage): [head: string, body: string] {
  switch (passage.kind) {
    case "message":
      return [passage.text.text, ""];
    case "answer":
      return [withoutMarks(passage.text.text), ""];
    case "thought":
      return ["", passage.text.text];
    case "call":
      return [`${passage.tool} ${passage.gist}`, `${passage.args.text}\n${passage.result?.text ?? ""}`];
    case "wait":
      return [`${passage.title}\n${passage.decision}`, ""];
    case "notice":
      return [passage.text, ""];
    case "step":
      return ["", ""];
  }
}
