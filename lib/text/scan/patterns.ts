import type { FoldedText } from "./fold-text";
import { OTHER_LANGUAGES } from "./other-languages";

/** S4 §4's six patterns, by the names that logs and errors use. */
export const PATTERN_NAMES = [
  "ignore_instructions",
  "role_override",
  "system_tags",
  "instruction_injection",
  "null_bytes",
  "delimiter_escape",
] as const;
export type PatternName = (typeof PATTERN_NAMES)[number];

/** A pattern and the form of the text that it examines. */
export interface Pattern {
  readonly name: PatternName;
  readonly reads: keyof FoldedText;
  readonly pattern: RegExp;
}

/** Up to `count` words in between. Words and gaps are bounded and share no character, so matching is linear. */
const gap = (count: number) => `[^a-z0-9]{1,12}(?:[a-z0-9']{1,24}[^a-z0-9]{1,12}){0,${count}}`;
const words = (source: string): RegExp => new RegExp(`\\b(?:${source})\\b`);

const IGNORE =
  "ignor(?:e|ing)|disregard(?:ing)?|forget|neglect|overlook|bypass|override|discard|abandon|erase|(?:do not|don'?t|stop|no longer) (?:follow|obey|heed|listen to)(?:ing)?|pay no attention to|set aside|throw (?:out|away)";
const EARLIER = "previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|initial|original";
const OWN = "your|system|developer|safety|hidden|built in";
const INSTRUCTIONS = "instructions?|directions|directives?|prompts?|guidelines?|commands|orders|programming|training";
const BOUND = "rules|constraints|restrictions|policies|limitations|filters|safeguards|guardrails";
const BEING =
  "(?:ai|assistant|bot|chatbot|model|agent|persona|character|hacker|pirate|dan|admin(?:istrator)?|root|terminal|interpreter|human|unrestricted|uncensored|unfiltered|jailbroken|evil|free|different|another|god|developer)";
const NO_LIMITS =
  "(?:without|no|free (?:of|from)|ignoring|not bound by)(?: any| all| your| the)? (?:restrictions|rules|limits|limitations|filters|constraints|guidelines|censorship|morals|ethics)";

const ENGLISH: readonly Pattern[] = [
  reading("words", "ignore_instructions", [
    `(?:${IGNORE})${gap(3)}(?:${EARLIER})${gap(2)}(?:${INSTRUCTIONS})`,
    `(?:${IGNORE})${gap(2)}(?:${OWN})${gap(2)}(?:${INSTRUCTIONS}|${BOUND})`,
    `(?:${IGNORE})${gap(2)}(?:all|any|every|each)${gap(2)}(?:instructions|directives|prompts|guidelines)`,
    `(?:${IGNORE})${gap(1)}(?:all|any)${gap(2)}(?:${EARLIER})${gap(2)}(?:${BOUND}|context|text|messages)`,
    `(?:${IGNORE})${gap(1)}(?:instructions|directions|directives|rules|text)${gap(2)}(?:above|before this|so far)`,
    `(?:ignore|forget|disregard)${gap(1)}(?:everything|anything)${gap(4)}(?:above|before|told|said|learned|know|prior|previously)`,
    "(?:ignore|disregard|forget|bypass)(?:all|any|the|your|my|of){0,3}(?:previous|prior|above|earlier|system)(?:instructions?|prompts?|rules|directions|commands)",
  ]),
  reading("words", "role_override", [
    `you(?: are|'re| re| will be| shall be| must be) (?:now|hereby|henceforth|from now on)${gap(5)}${BEING}`,
    `(?:from now on|henceforth|starting now|as of now),? (?:you are|you re|you're|you will be|you will act|you must act|act as|behave as|you become)`,
    `you(?: are|'re) no longer${gap(3)}(?:ai|assistant|model|chatbot|bound|restricted|limited|required|an? language)`,
    `(?:act|behave|respond|answer|roleplay|role play|pretend)${gap(8)}${NO_LIMITS}`,
    `(?:act|behave|pretend)${gap(5)}(?:unrestricted|uncensored|unfiltered|jailbroken|dan|not an ai|no longer an ai)`,
    `you have${gap(2)}(?:no|zero) (?:restrictions|rules|limits|limitations|filters|guidelines)`,
    "(?:developer|god|dan|jailbreak|sudo|unrestricted|admin|debug) mode (?:is )?(?:now )?(?:enabled|on|activated|engaged|active)",
    "(?:enter|enable|activate|switch to|turn on|go into)(?: the)? (?:developer|god|dan|jailbreak|sudo|unrestricted|admin) mode",
    "do anything now",
    "your (?:new|real|true|actual) (?:role|identity|persona|purpose|job|name) is",
    `(?:assume|adopt|take on)${gap(2)}(?:new|different|another) (?:role|identity|persona|personality)`,
    "you are (?:now )?dan",
  ]),
  reading("words", "instruction_injection", [
    "(?:system|admin(?:istrator)?|developer|root|security|instruction|prompt) override",
    `(?:following|these|my|new|below)${gap(2)}(?:instructions|rules|directives)${gap(2)}(?:override|replace|supersede|overrule|take precedence)`,
    "your (?:new|real|actual|true|updated) (?:instructions|task|directives?|orders|objective|goal) (?:is|are)",
    "(?:begin|start) (?:of )?(?:new|system|updated|admin) (?:instructions?|prompt|message)",
  ]),
  {
    name: "instruction_injection",
    reads: "words",
    pattern:
      /\b(?:(?:new|updated|additional|revised|real|actual|secret|hidden|urgent|special|further) (?:system )?(?:instructions?|directives?|orders|task|prompt|system prompt|rules)|(?:system|admin|developer) (?:instructions?|directive|command|notice)) ?[*"'`)\]]{0,3} ?(?::|->|=>|—)/,
  },
  {
    name: "instruction_injection",
    reads: "latin",
    pattern:
      /(?:^|[\n.!?;>*#"'(-])[ \t]{0,8}override[*_]{0,2} ?:(?!\s{0,8}(?:(?:true|false|null|yes|no|on|off|none)\b|\d|[{["'&*|])|\s{0,4}\n\s{1,8}\S)/,
  },
  reading("words", "delimiter_escape", [
    "(?:end|ending|close) (?:of )?(?:the |this |your )?(?:system|developer|hidden|initial) (?:prompt|message|instructions?|context|section|rules)",
    "(?:end|ending) of (?:the |this |your )?(?:instructions|prompt|context|(?:user|human|untrusted) (?:input|message|turn|query))(?= ?[\\]\\-=*#>`])",
    "(?:begin|start) (?:of )?(?:the )?(?:user|assistant) (?:input|message|turn|prompt)",
  ]),
  {
    name: "delimiter_escape",
    reads: "latin",
    pattern: /\bend of (?:the )?system(?=[ \t]{0,4}(?:[^\p{L}\p{N}\s'’-]|[-=\n\r]|$))/u,
  },
];

/** Markers of chat templates and prompts. A template's names may be separated from their brackets. */
const TAGS: readonly Pattern[] = [
  {
    name: "system_tags",
    reads: "latin",
    pattern:
      /<\s{0,2}\|\s{0,2}\/?(?:im[_ ]?(?:start|end|sep)|system|user|assistant|developer|tool|endof(?:text|prompt)|eo[tm]_id|(?:start|end)_(?:header_id|of_turn)|(?:begin|end)[_▁](?:of|system)[_▁][a-z]{1,12}|python_tag|channel|message|start|end|return|call)\s{0,2}\|\s{0,2}>/,
  },
  {
    name: "system_tags",
    reads: "latin",
    pattern: /<<\s{0,2}\/?\s{0,2}sys\s{0,2}>>|\[\s{0,2}\/?inst\s{0,2}\]|<\/?(?:start|end)_of_turn>/,
  },
  {
    name: "system_tags",
    reads: "latin",
    pattern:
      /[[{(【]\s{0,2}\/?\s{0,2}system(?: ?(?:message|prompt|note|instructions?|override))?\s{0,2}:?\s{0,2}[\]})】]/,
  },
  {
    name: "system_tags",
    reads: "latin",
    pattern: /<\s{0,2}\/?\s{0,2}(?:system|sys|system[-_ ]?(?:prompt|message|reminder|note|instructions?))\s{0,2}\/?>/,
  },
  {
    name: "system_tags",
    reads: "latin",
    pattern: /(?:^|\n)[ \t]{0,4}#{1,4} ?(?:system|system (?:prompt|message)|instruction)[ \t]{0,2}:?[ \t]{0,4}(?:\n|$)/,
  },
  {
    name: "system_tags",
    reads: "latin",
    pattern:
      /(?:^|\n)[ \t]{0,4}[*"'`]{0,3}(?:system|developer)[*"'`]{0,3} ?: ?(?:you (?:are|must|will|should|have)|ignore|disregard|from now|new |override|forget|always|never)/,
  },
  {
    name: "delimiter_escape",
    reads: "latin",
    pattern:
      /<\s{0,2}\/\s{0,2}(?:instructions?|system|system[-_ ]?(?:prompt|message|instructions?|reminder)|prompt|context|context_file|extra_context|agent_memory|user[-_ ]?(?:input|message|query|prompt)|guidelines|rules|safety)\s{0,2}>/,
  },
  {
    name: "delimiter_escape",
    reads: "latin",
    pattern:
      /[-=#*_~<[({]{2,40} ?\/?end(?: of)?(?: the)? (?:system|instructions?|prompt|context|rules|developer|hidden)\b/,
  },
];

/** Every pattern except `null_bytes`, which only needs a search for one character. */
export const PATTERNS: readonly Pattern[] = [...ENGLISH, ...TAGS, ...OTHER_LANGUAGES];

function reading(reads: Pattern["reads"], name: PatternName, sources: readonly string[]): Pattern {
  return { name, reads, pattern: words(sources.join("|")) };
}
