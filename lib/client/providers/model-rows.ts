import type { ListedModel, ModelPrice, Provider, ProviderModel } from "@/lib/schema/provider";
import type { UnpricedUsage } from "@/lib/schema/providers/provider-figures";

/** A row of a provider's table of models. */
export interface ModelRow extends ListedModel {
  readonly isOn: boolean;
}

/**
 * The models that the provider offers, that its settings name or that runs have called; `listed` is the provider's own
 * answer, if it was asked and is reachable.
 */
export function modelRows(
  provider: Provider,
  listed: readonly ListedModel[] | undefined,
  asked: readonly string[] = [],
): ModelRow[] {
  const rows = new Map<string, ListedModel>(asked.map((id) => [id, { id }]));
  for (const model of [...(provider.known ?? []), ...(listed ?? [])]) rows.set(model.id, model);
  return [...rows.values()].map((model) => ({ ...model, isOn: isOn(provider.models, model.id) }));
}

/** While none is named, all are on except those switched off. */
function isOn(models: readonly ProviderModel[], id: string): boolean {
  const entry = models.find((model) => model.id === id);
  if (entry) return entry.enabled !== false;
  return !models.some(({ enabled }) => enabled !== false);
}

/** The settings with one model switched. While none is named, switching one back on names none either. */
export function withSwitch(models: readonly ProviderModel[], id: string, isOnNow: boolean): ProviderModel[] {
  const entry = models.find((model) => model.id === id) ?? { id };
  const { enabled: _, ...rest } = entry;
  const namesAny = models.some(({ enabled }) => enabled !== false);
  if (isOnNow && !namesAny && Object.keys(rest).length === 1) return models.filter((model) => model.id !== id);
  return withModel(models, isOnNow ? rest : { ...rest, enabled: false });
}

/** The settings with every model named that is on, so that everybody may pick it. */
export function withAllNamed(models: readonly ProviderModel[], rows: readonly ModelRow[]): ProviderModel[] {
  const named = new Set(models.map(({ id }) => id));
  return [...models, ...rows.flatMap(({ id, isOn: isShownOn }) => (isShownOn && !named.has(id) ? [{ id }] : []))];
}

/** In its place, or appended. */
function withModel(models: readonly ProviderModel[], changed: ProviderModel): ProviderModel[] {
  const isNew = !models.some(({ id }) => id === changed.id);
  return isNew ? [...models, changed] : models.map((model) => (model.id === changed.id ? changed : model));
}

/** Facts stated about one model; undefined leaves a fact to the catalogue. */
export interface ModelFigures {
  readonly contextWindow: number | undefined;
  readonly price: ModelPrice | undefined;
  readonly vision?: boolean | undefined;
  readonly streaming?: boolean | undefined;
}

/** The settings with one model's figures; a model that is on stays on even if it was not named before. */
export function withFigures(
  models: readonly ProviderModel[],
  rows: readonly ModelRow[],
  id: string,
  figures: ModelFigures,
): ProviderModel[] {
  const namesAny = models.some(({ enabled }) => enabled !== false);
  const unnamed = namesAny ? [] : rows.filter((row) => row.isOn && !models.some((model) => model.id === row.id));
  const { enabled, traits } = models.find((model) => model.id === id) ?? {};
  const { contextWindow, price, vision, streaming } = figures;
  const changed = {
    id,
    ...(enabled === undefined ? {} : { enabled }),
    ...(traits === undefined ? {} : { traits }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price === undefined ? {} : { price }),
    ...(vision === undefined ? {} : { vision }),
    ...(streaming === undefined ? {} : { streaming }),
  };
  return withModel([...models, ...unnamed.map((row) => ({ id: row.id }))], changed);
}

/** The cost at this price of calls that have none, in US dollars. */
export function costAt(price: ModelPrice, used: UnpricedUsage): number {
  const { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens } = used;
  const uncached = Math.max(0, inputTokens - cachedReadTokens - cachedWriteTokens);
  const sum =
    uncached * price.input +
    cachedReadTokens * price.cachedRead +
    cachedWriteTokens * price.cachedWrite +
    outputTokens * price.output;
  return sum / 1_000_000;
}

/** "$3.00", "$0.075". */
export function formatPrice(price: number): string {
  const digits = Math.max(2, (String(price).split(".")[1] ?? "").length);
  return `$${price.toFixed(Math.min(digits, 6))}`;
}

/** The outcome of the latest test, in a few words; null if there was none. */
export function testText({ lastTest, problem, kind }: Provider): {
  readonly words: string;
  readonly isFailed: boolean;
} {
  if (kind === "demo") return { words: "Needs no key", isFailed: false };
  if (problem !== null && !lastTest) return { words: "Can't be asked", isFailed: true };
  if (!lastTest) return { words: "Not tested yet", isFailed: false };
  if (lastTest.ok) return { words: `Answered in ${lastTest.latencyMs.toLocaleString("en")} ms`, isFailed: false };
  return { words: failureText(lastTest.error ?? ""), isFailed: true };
}

function failureText(error: string): string {
  if (/refused the API key/.test(error)) return "Refused the key";
  if (/Check that it is running/.test(error)) return "Not reached";
  return "The test failed";
}
