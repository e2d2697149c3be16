import type { Message, PictureProblem } from "@/lib/schema/messages/message";
import type { KeptRefusals, LearnedLimit, RefusedTool } from "@/lib/schema/providers/provider-refusals";
import { messageKey, type Plainness } from "./plain-history";

/** What this installation's providers have refused, so that it is not sent to them again. */
export interface RefusalMemory {
  /** What a restart keeps. */
  kept(): KeptRefusals;
  /** Replaces it, for what another process has learned. From then on, `onLearned` is told what this one learns. */
  load(kept: KeptRefusals, onLearned: OnLearned): void;
  of(provider: string, model: string): ModelRefusals;
}

type OnLearned = (kept: KeptRefusals) => void;

/** What one model's provider has refused. */
export interface ModelRefusals {
  /** Pictures that were part of a request it refused, by hash. */
  readonly pictures: ReadonlyMap<string, PictureProblem>;
  /** Pictures that it has taken. */
  readonly taken: ReadonlySet<string>;
  readonly tools: readonly RefusedTool[];
  plainnessOf(message: Message): Plainness | undefined;
  refusePictures(hashes: Iterable<string>): void;
  takePictures(hashes: Iterable<string>): void;
  writePlainly(messages: Iterable<Message>, plainness: Plainness): void;
  refuseTools(tools: readonly RefusedTool[]): void;
  learnLimit(limit: LearnedLimit): void;
}

const MOST_MODELS = 200;
const MOST_ENTRIES = 2_000;
const MOST_KEPT = 500;

export function createRefusalMemory(onLearned: OnLearned = () => undefined): RefusalMemory {
  let kept: KeptRefusals = { tools: [], limits: [] };
  let tell = onLearned;
  const models = new Map<string, SeenByModel>();
  const learn = (next: KeptRefusals) => {
    kept = next;
    tell(kept);
  };
  return {
    kept: () => kept,
    load(next, listener) {
      kept = next;
      tell = listener;
    },
    of(provider, model) {
      const key = `${provider}:${model}`;
      const seen = models.get(key) ?? { pictures: new Map(), taken: new Set(), plain: new Map() };
      if (models.size >= MOST_MODELS) models.clear();
      models.set(key, seen);
      const isOfModel = (entry: { provider: string; model: string }) =>
        entry.provider === provider && entry.model === model;
      return {
        pictures: seen.pictures,
        taken: seen.taken,
        tools: kept.tools.filter(isOfModel),
        plainnessOf: (message) => (seen.plain.size === 0 ? undefined : seen.plain.get(messageKey(message))),
        refusePictures(hashes) {
          for (const hash of hashes) remember(seen.pictures, hash, "refused");
        },
        takePictures(hashes) {
          for (const hash of hashes) seen.taken.add(hash);
          trim(seen.taken);
        },
        writePlainly(messages, plainness) {
          for (const message of messages) remember(seen.plain, messageKey(message), plainness);
        },
        refuseTools(tools) {
          const others = kept.tools.filter(
            (entry) => !isOfModel(entry) || tools.every(({ tool }) => tool !== entry.tool),
          );
          learn({ ...kept, tools: [...others, ...tools].slice(-MOST_KEPT) });
        },
        learnLimit(limit) {
          const before = kept.limits.find(isOfModel);
          if (before?.contextWindow === limit.contextWindow) return;
          const others = kept.limits.filter((entry) => entry !== before);
          learn({ ...kept, limits: [...others, limit].slice(-MOST_KEPT) });
        },
      };
    },
  };
}

interface SeenByModel {
  readonly pictures: Map<string, PictureProblem>;
  readonly taken: Set<string>;
  readonly plain: Map<string, Plainness>;
}

function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.set(key, value);
  trim(entries);
}

/** The oldest go first: forgetting costs one more refused request. */
function trim(entries: Map<string, unknown> | Set<string>): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= MOST_ENTRIES) return;
    entries.delete(oldest);
  }
}
