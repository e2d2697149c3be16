import { codeTracker } from "./code-tracker";
import { type JsonBalance, jsonBalance } from "./json-balance";
import type { StreamStep } from "./stream-step";
import { waitingBlanks } from "./waiting-blanks";

/**
 * A line that begins with `start` (lower case, in brackets) begins a block, which ends at the next blank line at the latest: a
 * `text` block extends to there, a `json` block only while its lines are JSON, `Arguments:` or a code fence.
 */
export interface BlockMarker {
  readonly start: string;
  readonly body: "text" | "json";
}

/** The first character of all of them. */
const MARKER = "[";
const JSON_STARTS = ["{", "[", "arguments:", "```"];
const isJson = (line: string) => JSON_STARTS.some((known) => line.startsWith(known));
const mayBecomeJson = (line: string) => JSON_STARTS.some((known) => known.startsWith(line));
type Decision = "keep" | "drop" | "wait";

/** Drops blocks that begin with one of the markers, line by line; not in a block of code that is kept. */
export function lineBlocksStep(markers: readonly BlockMarker[]): StreamStep {
  let held = "";
  /** With which the line begins. */
  const blanks = waitingBlanks();
  /** The decision about the current line. */
  let line: Decision = "wait";
  let block: BlockMarker["body"] | null = null;
  let balance: JsonBalance | null = null;
  const code = codeTracker();

  function decide(text: string, isWhole: boolean): Decision {
    if (code.isInCode) return "keep";
    const start = text.trimStart().toLowerCase();
    const marker = markers.find((known) => start.startsWith(known.start));
    if (marker) {
      block = marker.body;
      balance = jsonBalance();
      return "drop";
    }
    if (!isWhole && markers.some((known) => known.start.startsWith(start))) return "wait";
    if (block === null) return "keep";
    return decideInBlock(start, isWhole);
  }
  function decideInBlock(start: string, isWhole: boolean): Decision {
    const decision = readBlockLine(start, isWhole, block === "text" || balance?.isOpen === true);
    if (decision === "keep") block = null;
    return decision;
  }
  function take(text: string, isWhole: boolean): string {
    if (line === "wait") {
      if (held === "" && !isWhole && !code.isInCode && blanks.keeps(text)) return "";
      held += blanks.take() + text;
      line = decide(held, isWhole);
      if (line === "wait") return "";
      const whole = held;
      held = "";
      return take(whole, isWhole);
    }
    if (line === "keep") {
      code.feed(text);
      return text;
    }
    balance?.feed(text);
    return "";
  }
  /** Whole lines among which no block can begin or be open are passed on together. */
  function plainEnd(piece: string): number {
    if (line !== "wait" || held !== "" || block !== null || blanks.areWaiting) return 0;
    const end = piece.lastIndexOf("\n") + 1;
    const marker = piece.indexOf(MARKER);
    return marker < 0 || marker >= end ? end : 0;
  }
  function push(piece: string): string {
    let from = plainEnd(piece);
    let out = piece.slice(0, from);
    code.feed(out);
    for (let end = piece.indexOf("\n", from); end >= 0; end = piece.indexOf("\n", from)) {
      out += take(piece.slice(from, end + 1), true);
      line = "wait";
      from = end + 1;
    }
    return from < piece.length ? out + take(piece.slice(from), false) : out;
  }
  return { push, end: () => (line === "wait" ? take("", true) : "") };
}

/** Classifies a line after a marker: `keep` ends the block. */
function readBlockLine(start: string, isWhole: boolean, isInside: boolean): Decision {
  if (start.trim() === "") return isWhole ? "keep" : "wait";
  if (isInside || isJson(start)) return "drop";
  return !isWhole && mayBecomeJson(start) ? "wait" : "keep";
}
