/** More tokens than any call has: one provider's nonsense must not drown every sum. */
const MOST_TOKENS = 1_000_000_000;

/**
 * A count of tokens as a provider may send it, as a number or as text. A negative one, which would lift budgets, is 0;
 * undefined if it is no number.
 */
export function tokenCount(value: unknown): number | undefined {
  const isText = typeof value === "string" && value.trim() !== "";
  const count = typeof value === "number" ? value : isText ? Number(value) : Number.NaN;
  return Number.isFinite(count) ? Math.min(Math.max(0, Math.round(count)), MOST_TOKENS) : undefined;
}
