/** Text in, text out; what may begin a secret is held back until `end`. */
export interface RedactedStream {
  push(piece: string): string;
  end(): string;
}

/** What the first gives out goes into the second. */
export function inTurn(first: RedactedStream, second: RedactedStream): RedactedStream {
  return {
    push: (piece) => second.push(first.push(piece)),
    end: () => second.push(first.end()) + second.end(),
  };
}
