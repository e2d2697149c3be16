/** A measured value with its limit. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  /** `most`: the value must not be above the limit; `least`: not below. */
  readonly bound: "most" | "least";
}

export function isMet({ value, limit, bound }: Figure): boolean {
  return bound === "most" ? value <= limit : value >= limit;
}

/** Prints the figures as a table with the limit and the verdict in each row. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => {
    const { what, value, unit, limit, bound } = figure;
    const must = `${bound === "most" ? "≤" : "≥"} ${limit} ${unit}`.trim();
    return [
      what,
      { measured: `${Number(value.toPrecision(3))} ${unit}`.trim(), "must be": must, verdict: verdict(figure) },
    ];
  });
  console.table(Object.fromEntries(rows));
}

function verdict(figure: Figure): string {
  return isMet(figure) ? "pass" : "MISSED";
}
