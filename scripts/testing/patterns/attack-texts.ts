/** A text that makes a pattern try again and again: `pump` is repeated. */
export interface AttackText {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const ATOM = String.raw`\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|[\s\S]`;
/** How many of the characters that an atom takes are repeated. */
const MOST_CHOICES = 4;
/** What the atoms of a pattern are tried with. */
const CHARACTERS = [..." aA0\n\t-_.,:;!?<>([{}])\"'`/\\*+=#@$&|~^%éß漢", "\u0000"];
/** What follows the pump, so that the pattern fails at its end. */
const SUFFIXES = ["\u0000", "\n\u0000", ""];

/**
 * Texts made from the pattern itself: for each of its repeats a text that leads to it and then repeats what it takes,
 * and one that starts the pattern again at every step.
 */
export function attackTexts(source: string, flags: string): readonly AttackText[] {
  const pumps = new Map<string, AttackText>();
  for (const { before, repeated } of repeatsOf(source, flags)) {
    const starts = before + repeated.repeat(3);
    for (const [prefix, pump] of [
      [before, repeated],
      ["", repeated],
      ["", before],
      ["", starts],
      [before, starts],
    ] as const) {
      for (const suffix of SUFFIXES) {
        if (pump !== "") pumps.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
      }
    }
  }
  return [...pumps.values()];
}

interface Repeat {
  /** A text that the part of the pattern before the repeat may take. */
  readonly before: string;
  /** A text that the repeated part may take. */
  readonly repeated: string;
}

function repeatsOf(source: string, flags: string): Repeat[] {
  const repeats: Repeat[] = [];
  const reader = new PatternReader(flags);
  for (const token of source.match(TOKENS) ?? []) {
    const repeated = reader.read(token);
    repeats.push(...repeated);
  }
  return repeats;
}

const GROUP = String.raw`\((?:\?(?::|[=!]|<[=!]|<\w+>))?`;
const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`;
const TOKENS = new RegExp(`${GROUP}|${QUANTIFIER}|${ATOM}`, "gu");

/** Reads a pattern token by token and writes a text that it may take; of alternatives it takes the last. */
class PatternReader {
  private text = "";
  private readonly groups: number[] = [];
  /** Where in the text the last atom or group begins, and what the atom may take. */
  private last = 0;
  private choices: readonly string[] = [];
  private readonly flags: string;

  constructor(flags: string) {
    this.flags = flags.replaceAll(/[gy]/gu, "");
  }

  /** What is repeated, if the token is the quantifier of a repeat. */
  read(token: string): readonly Repeat[] {
    if (new RegExp(`^${QUANTIFIER}$`, "u").test(token)) return token.startsWith("?") ? [] : this.repeats();
    if (new RegExp(`^${GROUP}$`, "u").test(token)) this.groups.push(this.text.length);
    else if (token === ")") this.endAt(this.groups.pop() ?? 0, []);
    else if (token === "|") this.text = this.text.slice(0, this.groups.at(-1) ?? 0);
    else this.take(token);
    return [];
  }

  private take(atom: string): void {
    if (/^(?:\^|\$|\\[bBk\d])/u.test(atom)) return;
    const whole = new RegExp(`^(?:${atom})$`, this.flags);
    const choices = CHARACTERS.filter((character) => whole.test(character));
    this.endAt(this.text.length, choices);
    this.text += choices[0] ?? "";
  }

  private endAt(last: number, choices: readonly string[]): void {
    this.last = last;
    this.choices = choices;
  }

  private repeats(): readonly Repeat[] {
    const before = this.text.slice(0, this.last);
    const repeated = new Set([this.text.slice(this.last), ...this.choices.slice(0, MOST_CHOICES)]);
    return [...repeated].map((one) => ({ before, repeated: one }));
  }
}
