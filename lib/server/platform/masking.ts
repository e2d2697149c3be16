import { processState } from "./process-state";
import { redactOpenSecrets } from "./secrets/known-secrets";

type Mask = (text: string) => string;

const state = () => processState("masks", (): { masks: readonly Mask[] } => ({ masks: [] }));

/** Sets the masking rules of the settings, as functions: from now on they apply to logs, traces and exports of them. */
export function setMasks(masks: readonly Mask[]): void {
  state().masks = masks;
}

/** Whether the settings have rules. */
export function hasMasks(): boolean {
  return state().masks.length > 0;
}

/** The text as it may be shown: without secrets, then the rules in order, each on the result of the previous one. */
export function maskText(text: string): string {
  return state().masks.reduce((masked, mask) => mask(masked), redactOpenSecrets(text));
}

/** Whether the text would be masked, in whatever case it is written. */
export function isMaskedText(text: string): boolean {
  return [text, text.toLowerCase(), text.toUpperCase()].some((written) => maskText(written) !== written);
}

/** Masks every text in a JSON value. Field names stay, and so do the values of `keep`. */
export function maskValue(value: unknown, keep: ReadonlySet<string> = NONE): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map((item) => maskValue(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, keep.has(name) ? item : maskValue(item)]),
  );
}

const NONE: ReadonlySet<string> = new Set();
