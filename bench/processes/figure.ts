/** One line of the result. */
export function show(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(62)} ${figure}\n`);
}

export const ms = (value: number) => `${value.toFixed(1)} ms`;
