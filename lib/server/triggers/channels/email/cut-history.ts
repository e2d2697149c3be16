import { citedText } from "@/lib/server/triggers/channels/cited-text";
import { areHeadersAt, isMailHeader, isWithTime } from "./mail-headers";
import { containsOne, hasPrefix, isFooter, isRule, markOf, withoutDirections, withoutQuoting } from "./mail-marks";
import {
  ANSWER_PREFIXES,
  ATTRIBUTION_STARTS,
  FORWARD_PREFIXES,
  FORWARDED,
  ORIGINAL,
  SAID,
  WROTE,
} from "./mail-phrases";

/** The maximum number of lines of one attribution. */
const MOST_WRAPPED = 4;
/** Longer text is no attribution and no mark. */
const MOST_ATTRIBUTION_CHARACTERS = 500;
const MOST_SIGNATURE_LINES = 10;
/** What is left of a line that HTML draws. */
const DRAWN = "---";
/** The largest forwarded text; the whole mail is limited as well. */
const MOST_FORWARDED_CHARACTERS = 50_000;

/** What is known about a mail besides its text. */
export interface MailKind {
  readonly subject: string;
  /** It refers to other mails. */
  readonly hasReferences: boolean;
}

/**
 * What a person sent in a mail: their own lines and what they forwarded, without the mail they answer and without their
 * signature. Lines between quoted ones are kept.
 */
export function cutHistory(text: string, kind: MailKind): string {
  const { own, forwarded } = new OwnText(text.replaceAll("\r\n", "\n").split("\n"), kind).read();
  return [own, forwarded === "" ? "" : forwardedText(forwarded)].filter(Boolean).join("\n\n");
}

/** Someone else's mail that a person passed on. */
export function forwardedText(text: string): string {
  return citedText({ label: "Forwarded message", text, mostCharacters: MOST_FORWARDED_CHARACTERS });
}

class OwnText {
  readonly #lines: readonly string[];
  readonly #own: string[] = [];
  readonly #isForward: boolean;
  readonly #isAnswer: boolean;
  readonly #isCalledAnswer: boolean;
  #isInQuote = false;

  constructor(lines: readonly string[], { subject, hasReferences }: MailKind) {
    this.#lines = lines;
    this.#isForward = hasPrefix(subject, FORWARD_PREFIXES);
    this.#isCalledAnswer = hasPrefix(subject, ANSWER_PREFIXES);
    this.#isAnswer = !this.#isForward && (this.#isCalledAnswer || hasReferences);
  }

  read(): { readonly own: string; readonly forwarded: string } {
    for (let at = 0; at < this.#lines.length; at += 1) {
      const start = this.#forwardedFrom(at);
      if (start !== null) return { own: this.#result(true), forwarded: this.#rest(start) };
      if (this.#isHistory(at)) return { own: this.#result(true), forwarded: "" };
      const signature = this.#signatureLength(at);
      if (signature > 0) at += signature - 1;
      else if (this.#take(at) === "history") return { own: this.#result(true), forwarded: "" };
    }
    return { own: this.#result(false), forwarded: "" };
  }

  /** The line at which someone else's mail begins that the person passes on; null if none begins here. */
  #forwardedFrom(at: number): number | null {
    if (this.#isInQuote) return null;
    const line = withoutQuoting(this.#line(at));
    const mark = markOf(line);
    if (mark !== null && containsOne(mark, FORWARDED)) return at + 1;
    if (this.#isAnnouncement(line) && isMailHeader(withoutQuoting(this.#nextWritten(at) ?? ""))) return at + 1;
    if (this.#isAnswering()) return null;
    if (mark !== null && containsOne(mark, ORIGINAL)) return at + 1;
    return this.#areHeadersAt(at) ? at : null;
  }

  /** "Begin forwarded message:" */
  #isAnnouncement(line: string): boolean {
    return line.length < MOST_ATTRIBUTION_CHARACTERS && line.endsWith(":") && containsOne(line, FORWARDED);
  }

  #isHistory(at: number): boolean {
    const mark = markOf(this.#line(at));
    if (mark !== null && containsOne(mark, ORIGINAL)) return true;
    // Notes: "-----Ada/Acme wrote: -----"
    if (mark !== null && containsOne(mark, WROTE) && this.#areHeadersAt(at + 1)) return true;
    return this.#areHeadersAt(at) || this.#isAttributionWithText(at);
  }

  /** Yahoo's apps begin the answered mail in the line of its attribution, behind several spaces. */
  #isAttributionWithText(at: number): boolean {
    const line = withoutDirections(this.#line(at)).trim().toLowerCase();
    if (!startsAttribution(line)) return false;
    return WROTE.some((word) => {
      const wrote = line.slice(0, MOST_ATTRIBUTION_CHARACTERS).indexOf(`> ${word}:  `);
      return wrote > 0 && this.#isWholeAttribution(line.slice(0, wrote + word.length + 3));
    });
  }

  /** Only what was answered is history; a mail that consists of nothing else was passed on. */
  #isAnswering(): boolean {
    return this.#isAnswer && (this.#isCalledAnswer || this.#own.some((line) => line.trim() !== ""));
  }

  /** Adds one line to the person's own, unless it belongs to a quote. */
  #take(at: number): "own" | "history" {
    const line = this.#line(at);
    const isQuoted = line.startsWith(">");
    if (isQuoted && (this.#isAnswer || this.#isInQuote)) {
      this.#isInQuote = true;
      return "own";
    }
    if (line.trim() !== "") this.#isInQuote = false;
    this.#own.push(line);
    const said = withoutDirections(line);
    return this.#isForward || !(said.endsWith(":") || said.endsWith("：")) ? "own" : this.#dropAttribution(at);
  }

  #dropAttribution(at: number): "own" | "history" {
    const isQuoteBelow = this.#nextWritten(at)?.startsWith(">") ?? false;
    const length = this.#attributionLength(isQuoteBelow);
    if (length === 0) return "own";
    this.#own.length -= length;
    this.#isInQuote = true;
    return isQuoteBelow ? "own" : "history";
  }

  /** How many of the last own lines say who wrote what follows. Programs wrap them after some 78 characters. */
  #attributionLength(isQuoteBelow: boolean): number {
    const above = this.#own.slice(-MOST_WRAPPED);
    const blank = above.findLastIndex((line) => line.trim() === "");
    const texts = above
      .slice(blank + 1)
      .map((_, at, lines) =>
        withoutDirections(lines.slice(-at - 1).join(" "))
          .trim()
          .toLowerCase(),
      )
      .filter((text) => text.length <= MOST_ATTRIBUTION_CHARACTERS);
    const isOne = (text: string) => (isQuoteBelow ? this.#isAttribution(text) : this.#isWholeAttribution(text));
    const whole = texts.findIndex((text) => isOne(text) && (startsAttribution(text) || isWithTime(text)));
    return (whole === -1 ? texts.findIndex(isOne) : whole) + 1;
  }

  /** Above a quote, a date or an address is enough. */
  #isAttribution(text: string): boolean {
    const isDated = text.includes("@") || isWithTime(text);
    if (containsOne(text, WROTE)) return isDated || startsAttribution(text) || (this.#isAnswer && endsWithWrote(text));
    if (!this.#isAnswer || !isWithTime(text)) return false;
    return text.includes("@") || (startsAttribution(text) && endsWithOne(text, SAID));
  }

  /** Above text without marks, it has to be certain. */
  #isWholeAttribution(text: string): boolean {
    const isComplete = text.includes("@") && isWithTime(text) && containsOne(text, WROTE);
    return this.#isAnswer && isComplete && (endsWithWrote(text) || text.endsWith(">:") || startsAttribution(text));
  }

  /** The next line that is not empty; attributions and marks stand close to what they introduce. */
  #nextWritten(at: number): string | undefined {
    return this.#lines.slice(at + 1, at + 5).find((line) => withoutQuoting(line) !== "");
  }

  #areHeadersAt(at: number): boolean {
    return areHeadersAt(this.#lines, at, this.#own.slice(-2).some(isRule));
  }

  /** RFC 3676: exactly two dashes and a space, with few lines to the end or to someone else's text; 0 for any other line. */
  #signatureLength(at: number): number {
    if (this.#lines[at] !== "-- ") return 0;
    let written = 0;
    let length = 1;
    for (; at + length < this.#lines.length; length += 1) {
      const line = this.#line(at + length);
      if (line.startsWith(">") || markOf(line) !== null || isRule(line)) break;
      if (this.#isAnnouncement(line) || areHeadersAt(this.#lines, at + length, false)) break;
      written += line.trim() === "" ? 0 : 1;
      if (written > MOST_SIGNATURE_LINES) return 0;
    }
    return length;
  }

  #line(at: number): string {
    return (this.#lines[at] ?? "").trimEnd();
  }

  #rest(from: number): string {
    const lines = this.#lines.slice(from);
    // Apple Mail quotes what it forwards.
    const isQuoted = lines.every((line) => line.startsWith(">") || line.trim() === "");
    return lines
      .map((line) => (isQuoted ? line.slice(line.startsWith("> ") ? 2 : 1) : line).trimEnd())
      .join("\n")
      .trim();
  }

  #result(isAboveOther: boolean): string {
    for (let last = this.#own.at(-1); last !== undefined; last = this.#own.at(-1)) {
      if (last.trim() !== "" && !isFooter(last) && !(isAboveOther && (isRule(last) || last.trim() === DRAWN))) break;
      this.#own.pop();
    }
    return this.#own
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }
}

function startsAttribution(text: string): boolean {
  return ATTRIBUTION_STARTS.some((start) => text.startsWith(start)) || (text >= "0" && text < ":");
}

function endsWithWrote(text: string): boolean {
  return endsWithOne(text, WROTE);
}

/** Before the colon. */
function endsWithOne(text: string, words: readonly string[]): boolean {
  const said = text.slice(0, -1).replaceAll("(a)", "").trimEnd();
  return words.some((word) => said.endsWith(word));
}
