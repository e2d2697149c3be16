const SEPARATORS = [",", ";", "\t", "|"] as const;

export interface ParsedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows of the file beyond `rows`. */
  readonly omitted: number;
}

/** The most rows that a browser can draw at once. */
const MOST_ROWS = 2000;

/** Parses comma-separated values, or whatever separator the first line uses; the first line holds the names. */
export function parseTable(text: string, isTabbed = false): ParsedTable {
  const records = parseRecords(text, isTabbed ? "\t" : separatorOf(text));
  const [head = [], ...rows] = records;
  return { head, rows: rows.slice(0, MOST_ROWS), omitted: Math.max(0, rows.length - MOST_ROWS) };
}

function separatorOf(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .replaceAll(/"[^"]*"/gu, "")
      .split("\n", 1)[0] ?? "";
  const counts = SEPARATORS.map((separator) => ({ separator, count: line.split(separator).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator;
}

function parseRecords(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator === "|" ? "\\|" : separator}\\r\\n]*))(${separator === "|" ? "\\|" : separator}|\\r\\n|\\n|\\r|$)`,
    "gy",
  );
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    // A misplaced quotation mark: the rest of the line is taken literally.
    if (found === null) break;
    fields.push(found[1] === undefined ? (found[2] ?? "") : found[1].replaceAll('""', '"'));
    if (found[3] === separator) continue;
    records.push(fields);
    fields = [];
  }
  if (fields.length > 0) records.push([...fields, ""]);
  return records.filter((record) => record.length > 1 || record[0] !== "");
}

/** The number in a cell: plain, with thousands separators, a currency or a percentage; null for anything else. */
export function cellNumber(cell: string): number | null {
  const plain = cell
    .trim()
    .replaceAll(/[€$£%\s\u00a0]/gu, "")
    .replaceAll(/,(?=\d{3}(?:\D|$))/gu, "");
  return /^[-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(plain) ? Number(plain.replace("−", "-")) : null;
}

/** Indexes of the columns whose non-empty cells are numbers. */
export function numberColumns({ head, rows }: ParsedTable): readonly number[] {
  return head.flatMap((_name, column) => {
    const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
    return cells.length > 0 && cells.every((cell) => cellNumber(cell) !== null) ? [column] : [];
  });
}
