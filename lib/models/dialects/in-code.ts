/** Whether what follows the text stands in code: in an open block, or behind an open quote on its last line. */
export function isInCode(text: string): boolean {
  const lines = text.split("\n");
  const fences = lines.filter((line) => /^\s*(?:```|~~~)/.test(line)).length;
  const quotes = (lines.at(-1) ?? "").split("`").length - 1;
  return fences % 2 === 1 || quotes % 2 === 1;
}
