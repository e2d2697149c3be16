const missed: string[] = [];

/** One line of the result; `isHeld`: false if it is beyond its limit in docs/design/performance.md. */
export function show(what: string, figure: string, isHeld = true): void {
  process.stdout.write(`${what.padEnd(62)} ${figure}${isHeld ? "" : "  ← beyond its limit"}\n`);
  if (!isHeld) missed.push(what);
}

/** The lines that were beyond their limit, so far. */
export function missedLimits(): readonly string[] {
  return missed;
}

export const ms = (value: number) => `${value.toFixed(1)} ms`;
