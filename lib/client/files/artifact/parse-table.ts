const SEPARATORS = [",", ";", "\t", "|"] as const;

export interface ParsedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows of the file that are not among `rows`. */
  readonly omitted: number;
}

/** Rows that a browser can draw at once. */
const MOST_ROWS = 2000;

/** Comma-separated values, or whatever else separates those of the first line; the first line holds the names. */
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
    // A quotation mark where none may be: the rest of the line is taken as it is.
    if (found === null) break;
    fields.push(found[1] === undefined ? (found[2] ?? "") : found[1].replaceAll('""', '"'));
    if (found[3] === separator) continue;
    records.push(fields);
    fields = [];
  }
  if (fields.length > 0) records.push([...fields, ""]);
  return records.filter((record) => record.length > 1 || record[0] !== "");
}

/** The number that a cell holds: plain, with thousands, a currency or a percentage; null for anything else. */
export function cellNumber(cell: string): number | null {
  const plain = cell
    .trim()
    .replaceAll(/[€$£%\s\u00a0]/gu, "")
    .replaceAll(/,(?=\d{3}(?:\D|$))/gu, "");
  return /^[-+−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/iu.test(plain) ? Number(plain.replace("−", "-")) : null;
}

/** The places of columns whose cells are numbers, as far as they say anything. */
export function numberColumns({ head, rows }: ParsedTable): readonly number[] {
  return head.flatMap((_name, column) => {
    const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
    return cells.length > 0 && cells.every((cell) => cellNumber(cell) !== null) ? [column] : [];
  });
}
