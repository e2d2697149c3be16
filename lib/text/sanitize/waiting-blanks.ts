/**
 * Blanks that change nothing until something follows them. They stay in pieces: looking at all of them again for each
 * piece that arrives would take time with the square of their number.
 */
export interface WaitingBlanks {
  /** Whether the piece is blank; then it waits. */
  keeps(piece: string): boolean;
  readonly areWaiting: boolean;
  /** All that wait, which then no longer do. */
  take(): string;
}

export function waitingBlanks(): WaitingBlanks {
  let pieces: string[] = [];
  return {
    keeps(piece) {
      if (piece.trim() !== "") return false;
      pieces.push(piece);
      return true;
    },
    get areWaiting() {
      return pieces.length > 0;
    },
    take() {
      if (pieces.length === 0) return "";
      const blanks = pieces.join("");
      pieces = [];
      return blanks;
    },
  };
}
