import { processState } from "./process-state";
import { redactOpenSecrets } from "./secrets/known-secrets";

type Mask = (text: string) => string;

interface MaskingInForce {
  readonly masks: readonly Mask[];
  /** Counted up by each change of the rules; at most 0 if there are none. */
  readonly revision: number;
}

const state = () => processState("masks", (): { inForce: MaskingInForce } => ({ inForce: { masks: [], revision: 0 } }));

/**
 * Sets the masking rules of the settings, as functions, and their revision: from now on they apply to logs, traces and
 * exports of them.
 */
export function setMasks(masks: readonly Mask[], revision = 0): void {
  state().inForce = { masks, revision };
}

/** Whether the settings have rules. */
export function hasMasks(): boolean {
  return state().inForce.masks.length > 0;
}

/** The revision of the rules that this process applies. */
export function maskingRevision(): number {
  return state().inForce.revision;
}

/** The text as it may be shown: without secrets, then the rules in order, each on the result of the previous one. */
export function maskText(text: string): string {
  return state().inForce.masks.reduce((masked, mask) => mask(masked), redactOpenSecrets(text));
}

/** Whether a secret is in the text, in whatever case it is written. */
export function hasSecret(text: string): boolean {
  return [text, text.toLowerCase(), text.toUpperCase()].some((written) => redactOpenSecrets(written) !== written);
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
