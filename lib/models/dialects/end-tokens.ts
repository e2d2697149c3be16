/** What templates write at the end of a turn, and servers with a wrong stop token pass on. */
const TOKENS = [
  "<|im_end|>",
  "<|im_start|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end|>",
  "<|return|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|end_of_solution|>",
  "<|END_RESPONSE|>",
  "<|END_OF_TURN_TOKEN|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<eos>",
  "</s>",
];
/** So much of a text is held back at most. */
const LONGEST = 200;

/** A text that is whole without the tokens that a server left at its end. */
export function withoutEndTokens(text: string): string {
  let rest = text.trimEnd();
  for (;;) {
    const token = TOKENS.find((known) => rest.endsWith(known));
    if (token === undefined) return rest;
    rest = rest.slice(0, -token.length).trimEnd();
  }
}

/** Removes the tokens with which a text ends; anywhere else they are text that somebody asked for. */
export class EndTokens {
  #held = "";
  #last = "";
  /** `</s>` also ends what HTML strikes out. */
  #hasStrike = false;

  push(text: string): string {
    this.#hasStrike ||= /<s[\s>]/i.test(this.#last + text);
    this.#last = (this.#last + text).slice(-2);
    if (this.#held === "" && !text.includes("<")) return text;
    const all = this.#held + text;
    const from = this.#beginning(all);
    this.#held = all.slice(from);
    return all.slice(0, from);
  }

  end(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#isAllTokens(rest) ? "" : rest;
  }

  /** Where the text begins that may be nothing but tokens to its end. */
  #beginning(text: string): number {
    for (let at = text.indexOf("<", Math.max(0, text.length - LONGEST)); at >= 0; at = text.indexOf("<", at + 1)) {
      const rest = this.#withoutTokens(text.slice(at));
      if (rest === "" || TOKENS.some((token) => token.startsWith(rest))) return at;
    }
    return text.length;
  }

  #isAllTokens(text: string): boolean {
    return text !== "" && this.#withoutTokens(text) === "";
  }

  #withoutTokens(text: string): string {
    let rest = text;
    for (;;) {
      const token = TOKENS.find((known) => rest.startsWith(known) && !(known === "</s>" && this.#hasStrike));
      if (token === undefined) return rest;
      rest = rest.slice(token.length).trimStart();
    }
  }
}
