/** A model's refusal of a conversation that is too long for it; the numbers are the provider's, in tokens. */
export interface RefusedLength {
  readonly limitTokens?: number;
  readonly sentTokens?: number;
}

/** The length that a model refused, if that is why the call failed. */
export function refusedLengthOf(error: unknown): RefusedLength | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("refusedLength" in current && current.refusedLength) return current.refusedLength as RefusedLength;
  }
  return null;
}
