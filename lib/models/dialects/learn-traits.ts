import type { ModelPort } from "@/lib/agent/model";
import { ProviderFailure } from "@/lib/models/failures/provider-failure";
import type { LearnedTrait, TraitOverrides, Traits } from "@/lib/schema/dialect";

/** What the refusals of this installation's providers have taught it. */
export interface TraitMemory {
  traitsOf(provider: string, model: string): TraitOverrides;
  learn(learned: LearnedTrait): void;
  all(): readonly LearnedTrait[];
}

const MOST_LEARNED = 500;

export function createTraitMemory(
  known: readonly LearnedTrait[] = [],
  onLearned: (all: readonly LearnedTrait[]) => void = () => undefined,
): TraitMemory {
  let learned = [...known];
  const isOf = (provider: string, model: string) => (entry: LearnedTrait) =>
    entry.provider === provider && entry.model === model;
  return {
    traitsOf: (provider, model) =>
      Object.assign({}, ...learned.filter(isOf(provider, model)).map(({ traits }) => traits)) as TraitOverrides,
    learn(entry) {
      learned = [...learned, entry].slice(-MOST_LEARNED);
      onLearned(learned);
    },
    all: () => learned,
  };
}

const NAMED: readonly (readonly [RegExp, TraitOverrides])[] = [
  [
    /roles? must alternate|alternate user\/assistant|roles should alternate|alternating (?:user|roles)/i,
    { roles: "strict" },
  ],
  [
    /unexpected role '?user'? after role '?tool|'?user'? (?:role |message )?(?:can ?not|must not|may not) follow/i,
    { toolThenUser: false },
  ],
  [
    /tool.?call id.{0,120}length of 9|must be a-z, A-Z, 0-9, with a length of 9|tool.?call.?id.{0,60}\b(?:9|nine) (?:characters|alphanumeric)/i,
    { ids: "nine" },
  ],
  [/(?:tool_calls?\[\d{1,6}\]\.id|call_id).{0,60}(?:too long|max(?:imum)? length)/i, { ids: "forty" }],
  [
    /system (?:role|message|prompt)s? (?:is |are )?not supported|(?:does ?n.t|not) support (?:the )?(?:'system'|system) (?:role|message|prompt)|developer instruction is not enabled|only user,? (?:and )?assistant|does not support 'system'/i,
    { systemRole: "user" },
  ],
  [
    /\bdeveloper\b.{0,20}(?:is not one of|is not supported|not supported)|unknown variant .?developer/i,
    { systemRole: "system" },
  ],
  [
    /'?max_tokens'?.{0,60}(?:not supported|unsupported|deprecated).{0,80}max_completion_tokens|unsupported.{0,40}\bmax_tokens\b.{0,80}max_completion_tokens/i,
    { maxTokensField: "max_completion_tokens" },
  ],
  [
    /max_completion_tokens.{0,60}(?:not supported|unsupported|unknown|unrecognized|unexpected|not permitted|extra)|(?:argument supplied|invalid parameter|unrecognized|unknown|unsupported|extra inputs?|unexpected).{0,20}max_completion_tokens/i,
    { maxTokensField: "max_tokens" },
  ],
  [
    /reasoning_content.{0,60}(?:must be passed back|is missing|required)|missing .?reasoning_content/i,
    { reasoningBack: "always" },
  ],
  [
    /reasoning(?:_content)?\b.{0,60}(?:unsupported|not supported|not permitted|unrecognized|unexpected|unknown|extra|not allowed)|(?:extra_forbidden|extra inputs?|not permitted|not allowed).{0,80}reasoning/i,
    { reasoningBack: "never" },
  ],
  [
    /content.{0,60}(?:can ?not be null|must not be null|must be a string|should be a valid string|got null|none is not|field is required)|(?:null|none).{0,40}content/i,
    { emptyText: "empty" },
  ],
  [
    /content.{0,60}(?:can ?not be empty|must not be empty|must be non-?empty|is empty)|empty content/i,
    { emptyText: "omit" },
  ],
  [/moonshot flavou?red json schema/i, { schemas: "typed" }],
  [
    /(?:additionalProperties|\$ref|\$defs|"?const"?|oneOf|exclusiveM(?:in|ax)imum).{0,80}(?:not supported|unsupported|unknown (?:name|field)|cannot find field)|unknown name "?(?:additionalProperties|\$ref|\$defs|const|oneOf)/i,
    { schemas: "google" },
  ],
  [
    /(?:failed to (?:parse|convert)|error (?:parsing|converting)|unable to).{0,60}(?:grammar|json schema)|grammar.{0,40}(?:fail|error)|json schema conversion failed|unrecognized schema/i,
    { schemas: "plain" },
  ],
];

/** The traits that the words of a refusal name, if they differ from those that the request was written with. */
export function traitsNamedIn(words: string, traits: Traits): TraitOverrides | null {
  for (const [pattern, named] of NAMED) {
    const isNew = Object.entries(named).some(([trait, value]) => traits[trait as keyof Traits] !== value);
    if (isNew && pattern.test(words)) return named;
  }
  return null;
}

export interface Learning {
  readonly provider: string;
  readonly model: string;
  readonly memory: TraitMemory;
  /** The port with the traits known so far and these. */
  connect(learned: TraitOverrides): { readonly port: ModelPort; readonly traits: Traits | null };
}

/**
 * A port that writes a refused request once more with the trait that the refusal names, and remembers it if that
 * helped. The second attempt is announced like any other retry.
 */
export function learningPort({ provider, model, memory, connect }: Learning): ModelPort {
  const name = `${provider}:${model}`;
  return {
    name,
    async call(request, options) {
      const startedAtMs = Date.now();
      const known = memory.traitsOf(provider, model);
      const { port, traits } = connect(known);
      try {
        return await port.call(request, options);
      } catch (error) {
        const words = error instanceof ProviderFailure ? (error.refusal?.words ?? "") : "";
        const named = traits && traitsNamedIn(words, traits);
        if (!(error instanceof ProviderFailure) || !named) throw error;
        const again = connect({ ...known, ...named });
        // A person has decided otherwise.
        if (JSON.stringify(again.traits) === JSON.stringify(traits)) throw error;
        const how = Object.entries(named).map(([trait, value]) => `${trait}: ${value}`);
        const message = `${error.message} It is asked again with ${how.join(", ")}.`;
        options.onRetry?.({
          attempt: 1,
          error: { code: error.code, message },
          delayMs: 0,
          nextModel: name,
          startedAtMs,
        });
        const reply = await again.port.call(request, options);
        memory.learn({ provider, model, traits: named, words: words.slice(0, 500) });
        return reply;
      }
    },
  };
}
