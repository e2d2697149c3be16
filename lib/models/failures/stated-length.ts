/** What a refusal says about lengths, in tokens. */
export interface StatedLength {
  /** Of the model's window, or of its input. */
  readonly limitTokens?: number;
  /** Of what was sent. */
  readonly sentTokens?: number;
}

const LIMITS: readonly RegExp[] = [
  /\d \+ \d{1,9} > (\d{4,})/,
  /exceeded: \d{1,9} > (\d{4,})/i,
  /maximum context length (?:is|of) (\d+)/i,
  /> (\d+) maximum/i,
  /maximum (?:context|model|allowed input) length (?:of )?\(?(\d{4,})/i,
  /max_seq_len (\d{4,})/i,
  /limit \((\d{4,})\)/i,
  /maximum is (\d{4,})/i,
  /at most (\d{4,}) tokens/i,
  /tokens allowed (\d{4,})/i,
  /maximum prompt length is (\d+)/i,
  /(?<!\d)(\d{4,9}) maximum context length/i,
  /tokens\. max(?:imum)?:? (\d{4,})/i,
  /not be greater than (\d{4,})/i,
  /context (?:length|window|size|limit)[^\d]{0,40}?(\d{4,})/i,
  /token limit[^\d]{0,20}(\d{4,})/i,
  /limit (?:of|is) (\d{4,})/i,
  /tokens allowed \((\d{4,})\)/i,
  /must be <= ?(\d{4,})/i,
  /range of input length should be \[\d+, ?(\d+)\]/i,
  /n_ctx[^\d]{0,10}(\d+)/i,
  /only supports? (?:up to )?(\d{4,})/i,
  /(?:less|smaller) than(?: or equal to)? (\d{4,})/i,
];
const SENT: readonly RegExp[] = [
  /requested (?:about )?(\d+) tokens/i,
  /you requested (\d{3,})/i,
  /requested a total of (\d+) tokens/i,
  /requested: (\d+)/i,
  /(?:input length|input|prompt|\(length) \(?(\d{3,})/i,
  /prompt too long: (\d+)/i,
  /exceeded: (\d+) > \d/i,
  /(?<!\d)(\d{1,9}) tokens long/i,
  /resulted in (\d+)/i,
  /token count (?:of |is |\()(\d+)/i,
  /prompt is too long: (\d+)/i,
  /(?<!\d)(\d{1,9}) tokens? > \d/i,
  /(?<!\d)(\d{1,9}) \+ \d+ > \d/,
  /(?:has|contains|got|used) (\d+) (?:input |prompt )?tokens/i,
  /given: (\d+)/i,
  /request \((\d+) tokens\)/i,
];
const SMALLEST_WINDOW = 1_000;

export function statedLength(said: string): StatedLength {
  const words = plainNumbers(said);
  const limitTokens = firstNumber(words, LIMITS);
  const sentTokens = firstNumber(words, SENT);
  return {
    ...(limitTokens === undefined || limitTokens < SMALLEST_WINDOW ? {} : { limitTokens }),
    ...(sentTokens === undefined ? {} : { sentTokens }),
  };
}

/** Groups: the window and the input. */
const WINDOW_AND_INPUT: readonly RegExp[] = [
  /maximum context length is (\d+) tokens.{0,120}?(?:requested|resulted in) (?:about )?\d+ tokens \((\d+) (?:in|of|from|input)/i,
  /maximum context length is (\d+) tokens and your request has (\d+) input tokens/i,
  /maximum context length of (\d+) tokens.{0,80}?total of \d+ tokens: (\d+) tokens from the input/i,
  /\((?:\d+) > (\d+) - (\d+)\)/,
  /inputs tokens \+ max_new_tokens must be <= ?(\d+)\. given: (\d+)/i,
];
const INPUT_AND_WINDOW = /max_(?:completion_|output_|new_)?tokens.{0,80}?(\d+) \+ \d+ > (\d+)/i;
/** The highest output limit that the model takes. */
const HIGHEST_OUTPUT: readonly RegExp[] = [
  /max_(?:completion_|output_|new_)?tokens: \d+ > (\d+)/i,
  /max_(?:completion_|output_|new_)?tokens[^[]{0,80}\[\d+, ?(\d+)\]/i,
  /max_(?:completion_|output_|new_)?tokens.{0,100}?(?:at most|<=|less than or equal to|lower than|not exceed|maximum(?: value| allowed)?(?: is| of|:)?|up to) (\d+)/i,
];
/** Between a provider's count and what it allows. */
const MARGIN_TOKENS = 16;
/** A shorter answer is of no use: the conversation is too long then. */
const SHORTEST_ANSWER_TOKENS = 256;

/** The output limit that a refusal leaves room for, if it is lower than `maxTokens`; null if it names none. */
export function outputRoom(said: string, maxTokens: number): number | null {
  const words = plainNumbers(said);
  const room = roomInWindow(words) ?? (isSum(words) ? undefined : firstNumber(words, HIGHEST_OUTPUT));
  return room !== undefined && room >= SHORTEST_ANSWER_TOKENS && room < maxTokens ? room : null;
}

/** The limit is of input and output together, and it is not said how long the input is. */
function isSum(words: string): boolean {
  return /\+ ?max_(?:completion_|output_|new_)?tokens/i.test(words);
}

function roomInWindow(words: string): number | undefined {
  for (const pattern of WINDOW_AND_INPUT) {
    const [, window, input] = pattern.exec(words) ?? [];
    if (window !== undefined) return Number(window) - Number(input) - MARGIN_TOKENS;
  }
  const [, input, window] = INPUT_AND_WINDOW.exec(words) ?? [];
  return window === undefined ? undefined : Number(window) - Number(input) - MARGIN_TOKENS;
}

/** "`max_tokens` is 8,192" with neither marks nor commas. */
function plainNumbers(words: string): string {
  return (
    words
      .slice(0, 2_000)
      // MiniMax puts its code behind its words.
      .replaceAll("(2013)", "")
      .replaceAll(/(\d),(?=\d{3})/g, "$1")
      .replaceAll(/[`'"]/g, "")
  );
}

function firstNumber(words: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(words)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}
