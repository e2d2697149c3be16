import { isInCode } from "./in-code";

/** A piece of text, told apart. `take back`: all text so far was thought. */
export type ThoughtPiece =
  | { readonly kind: "text" | "thought"; readonly text: string }
  | { readonly kind: "take back" };

/** A tag, or a closing mark that means nothing else: Gemma, Command A, Seed and others. */
const TAG =
  /<(\/?)(?:think|thinking|thought|antthinking)\s{0,9}>|<channel\|>|<\|END_THINKING\|>|<\|end_of_thought\|>|<\/seed:think>/i;
const LONGEST_TAG = 30;
/** Blocks with marks of their own (Magistral, Seed, Command A, Kimi and others); known only at the beginning. */
const OWN_MARKS: readonly (readonly [opening: string, closing: string])[] = [
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["◁think▷", "◁/think▷"],
  ["<reasoning>", "</reasoning>"],
  ["<|channel>thought\n", "<channel|>"],
  ["<|channel>", "<channel|>"],
  ["<|think|>", "<|/think|>"],
  ["<unused94>thought\n", "<unused95>"],
];
/** What stands before the answer of some of these. */
const ANSWER_MARKS = ["<|START_RESPONSE|>", "<|begin_of_solution|>"];
const CHANNEL_TOKEN = /<\|(start|channel|message|end|return|call|constrain)\|>/;
const LONGEST_TOKEN = 14;
/** Harmony whose tokens the server has removed: the answer, and a call. */
const BARE_MARKS = ["assistantfinal", "assistantcommentary to="];
const CALL_MARK = "<|channel|>commentary to=";
/** Whom a message of harmony is for: a tool. */
const RECIPIENT = /\bto=(?!user\b)[\w.]/;

/**
 * Tells the thoughts in a model's text from its answer: a block at the beginning, everything before a closing tag that
 * nothing opened, and harmony's channels. Only before the answer has begun, at most once, and never inside code.
 */
export class ThoughtFilter {
  #mode: "undecided" | "in block" | "harmony" | "answer" = "undecided";
  #held = "";
  /** Blanks before anything else: looked at once, whatever their number. */
  #blanks: string[] = [];
  /** The text passed on while undecided; only appended to, because flattening it for each piece would cost its length. */
  #passed = "";
  #isBlank = true;
  /** Its first characters. */
  #head = "";
  /** How the open block ends, if it has marks of its own. */
  #closing: string | null = null;
  #channel = "";
  #inHeader = true;
  #isFirstText = true;

  /** The answer has begun elsewhere, with a call or the server's own reasoning: tags are text from now on. */
  decide(): void {
    if (this.#mode !== "undecided" || !this.#isBlank || this.#held !== "" || this.#blanks.length > 0) return;
    this.#mode = "answer";
    this.#isFirstText = false;
  }

  push(text: string): ThoughtPiece[] {
    if (this.#mode === "undecided" && this.#passed === "" && this.#held === "" && text.trim() === "") {
      this.#blanks.push(text);
      return [];
    }
    this.#held += this.#takeBlanks() + text;
    return this.#read(false);
  }

  end(): ThoughtPiece[] {
    this.#held = this.#takeBlanks() + this.#held;
    return this.#read(true);
  }

  #takeBlanks(): string {
    if (this.#blanks.length === 0) return "";
    const blanks = this.#blanks.join("");
    this.#blanks = [];
    return blanks;
  }

  #read(isEnd: boolean): ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    for (let before = -1; before !== this.#held.length; ) {
      before = this.#held.length;
      if (this.#mode === "undecided") this.#readUndecided(pieces, isEnd);
      else if (this.#mode === "in block") this.#readBlock(pieces, isEnd);
      else if (this.#mode === "harmony") this.#readHarmony(pieces, isEnd);
      else this.#passAnswer(pieces, isEnd);
    }
    return pieces;
  }

  #readUndecided(pieces: ThoughtPiece[], isEnd: boolean): void {
    const isAtBeginning = this.#isBlank;
    if (isAtBeginning && /^\s*<\|(?:start|channel)\|>/.test(this.#held)) {
      this.#mode = "harmony";
      return;
    }
    if (isAtBeginning && this.#takeOwnMark(isEnd)) return;
    const found = TAG.exec(this.#held);
    if (found) this.#takeTag(pieces, found, isAtBeginning && this.#held.slice(0, found.index).trim() === "");
    else if (!this.#takeBareFinal(pieces)) this.#passText(pieces, isEnd ? this.#held.length : this.#undecidedEnd());
  }

  /** Whether the text begins with a mark, or may. */
  #takeOwnMark(isEnd: boolean): boolean {
    const start = this.#held.trimStart();
    // A longer mark may still arrive.
    if (!isEnd && start !== "" && OWN_MARKS.some(([opening]) => opening !== start && opening.startsWith(start)))
      return true;
    const found = OWN_MARKS.find(([opening]) => start.startsWith(opening));
    if (!found) return false;
    const [opening, closing] = found;
    this.#held = start.slice(opening.length);
    this.#closing = closing;
    this.#mode = "in block";
    return true;
  }

  #takeTag(pieces: ThoughtPiece[], { index, 0: tag, 1: slash }: RegExpExecArray, isAtBeginning: boolean): void {
    const before = this.#held.slice(0, index);
    if (slash === "" && isAtBeginning) {
      this.#held = this.#held.slice(index + tag.length);
      this.#mode = "in block";
    } else if (slash === "" || isInCode(this.#passed + before)) {
      this.#passText(pieces, index + tag.length);
      if (slash !== "") return;
      this.#mode = "answer";
      this.#isFirstText = false;
    } else {
      this.#passText(pieces, index);
      this.#held = this.#held.slice(tag.length);
      this.#takeBack(pieces);
    }
  }

  #takeBareFinal(pieces: ThoughtPiece[]): boolean {
    const mark = BARE_MARKS.find((known) => this.#held.includes(known));
    if (mark === undefined || !this.#beginsBare()) return false;
    this.#passText(pieces, this.#held.indexOf(mark));
    this.#held = (mark === BARE_MARKS[0] ? "" : CALL_MARK) + this.#held.slice(mark.length);
    this.#takeBack(pieces);
    return true;
  }

  #takeBack(pieces: ThoughtPiece[]): void {
    if (!this.#isBlank) pieces.push({ kind: "take back" });
    this.#mode = "answer";
  }

  #readBlock(pieces: ThoughtPiece[], isEnd: boolean): void {
    if (this.#closing !== null) {
      this.#readOwnBlock(pieces, this.#closing, isEnd);
      return;
    }
    const found = /<\/(?:think|thinking|thought|antthinking)\s{0,9}>/i.exec(this.#held);
    const end = found?.index ?? (isEnd ? this.#held.length : this.#safeEnd("<"));
    push(pieces, "thought", this.#held.slice(0, end));
    this.#held = this.#held.slice(end + (found?.[0].length ?? 0));
    if (found) this.#mode = "answer";
  }

  #readOwnBlock(pieces: ThoughtPiece[], closing: string, isEnd: boolean): void {
    const at = this.#held.indexOf(closing);
    const end = at >= 0 ? at : this.#held.length - (isEnd ? 0 : begunLength(this.#held, closing));
    push(pieces, "thought", this.#held.slice(0, end));
    this.#held = this.#held.slice(at >= 0 ? end + closing.length : end);
    if (at >= 0) this.#mode = "answer";
  }

  #readHarmony(pieces: ThoughtPiece[], isEnd: boolean): void {
    const found = CHANNEL_TOKEN.exec(this.#held);
    const end = found?.index ?? (isEnd ? this.#held.length : this.#safeEnd("<|"));
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end + (found?.[0].length ?? 0));
    if (this.#inHeader) this.#channel += text;
    else push(pieces, this.#isShown ? "text" : "thought", text);
    if (!found) return;
    if (found[1] === "message") this.#beginMessage(pieces);
    else if (this.#inHeader) this.#channel += " ";
    else {
      this.#inHeader = true;
      this.#channel = "";
    }
  }

  /** A call stays as it was written: whoever reads the text knows its form. */
  #beginMessage(pieces: ThoughtPiece[]): void {
    if (this.#inHeader && RECIPIENT.test(this.#channel)) {
      push(pieces, "text", `<|channel|>${this.#channel.trim()}<|message|>`);
    }
    this.#inHeader = false;
  }

  get #isShown(): boolean {
    return /\bfinal\b/.test(this.#channel) || RECIPIENT.test(this.#channel);
  }

  /** White space between thoughts and answer belongs to neither. */
  #passAnswer(pieces: ThoughtPiece[], isEnd: boolean): void {
    let text = this.#isFirstText ? this.#held.trimStart() : this.#held;
    if (this.#isFirstText && this.#closing !== null && text !== "") {
      const mark = ANSWER_MARKS.find((known) => text.startsWith(known));
      if (!mark && !isEnd && ANSWER_MARKS.some((known) => known.startsWith(text))) return;
      text = text.slice(mark?.length ?? 0).trimStart();
    }
    this.#held = "";
    if (text !== "") this.#isFirstText = false;
    push(pieces, "text", text);
  }

  #passText(pieces: ThoughtPiece[], end: number): void {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    this.#passed += text;
    if (this.#isBlank) this.#isBlank = text.trim() === "";
    if (this.#head.length < LONGEST_TAG) this.#head += text.slice(0, LONGEST_TAG);
    push(pieces, "text", text);
  }

  #beginsBare(): boolean {
    return /^\s*analysis\S/.test(this.#head + this.#held.slice(0, LONGEST_TAG));
  }

  #undecidedEnd(): number {
    const end = this.#safeEnd("<");
    // White space before a block is not the answer's.
    if (this.#passed === "" && this.#held.slice(0, end).trim() === "") return 0;
    if (end < this.#held.length || !this.#beginsBare()) return end;
    return this.#held.length - Math.max(...BARE_MARKS.map((mark) => begunLength(this.#held, mark)));
  }

  /** Where a tag may begin whose end has not arrived. */
  #safeEnd(begin: string): number {
    const longest = begin === "<" ? LONGEST_TAG : LONGEST_TOKEN;
    const at = this.#held.lastIndexOf("<");
    return at >= 0 && this.#held.length - at < longest && !this.#held.slice(at).includes(">") ? at : this.#held.length;
  }
}

function push(pieces: ThoughtPiece[], kind: "text" | "thought", text: string): void {
  if (text !== "") pieces.push({ kind, text });
}

/** How many characters at the end of the text may begin the mark. */
function begunLength(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
