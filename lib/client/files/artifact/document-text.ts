export interface Sheet {
  readonly name: string;
  /** CSV; empty without cells. */
  readonly rows: string;
}

const SHEET = /^\[Sheet (".*")\]$/u;
const TITLE = /^\[Title\] (.+)$/u;
const PAGE = /^\[Page (\d+)\]$/u;
const EMPTY = "(empty)";

/** The sheets of an Excel file as the server reads it: each below a line with its name. */
export function sheetsOf(text: string): Sheet[] {
  const sheets: { name: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const name = SHEET.exec(line)?.[1];
    if (name === undefined) sheets.at(-1)?.lines.push(line);
    else sheets.push({ name: readName(name), lines: [] });
  }
  return sheets.map(({ name, lines }) => {
    const rows = lines.join("\n").trim();
    return { name, rows: rows === EMPTY ? "" : rows };
  });
}

function readName(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/**
 * A Word file as the server reads it, as Markdown: a paragraph, row or list item is a line of its own. A single page has
 * no mark.
 */
export function documentMarkdown(text: string): string {
  const blocks: string[][] = [];
  let before: LineKind = "other";
  const hasPages = text.includes("\n[Page 2]\n");
  for (const line of text.split("\n")) {
    const kind = kindOf(line);
    if (kind !== "other" && kind === before) blocks.at(-1)?.push(literal(line));
    else if (kind === "row") blocks.push([literal(line), separatorOf(line)]);
    else if (line.trim() !== "" && (line !== "[Page 1]" || hasPages)) blocks.push(markOf(line) ?? [literal(line)]);
    before = kind;
  }
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

/** What the reader puts before a line: of a heading, an item, the cells of a row. */
const PREFIX = /^(?:#{1,6} |- |\| )?/u;
const MARKS = /[\\`*[\]<>~$^{}]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;
const LINE_MARK = /^([#+=-]|\d+(?=[.)]))/u;

/** The line with its own characters shown as they are, not read as Markdown. */
function literal(line: string): string {
  const [prefix = ""] = PREFIX.exec(line) ?? [];
  const text = line.slice(prefix.length).replace(MARKS, "\\$&");
  return prefix + text.replace(LINE_MARK, (mark) => (/\d/u.test(mark) ? `${mark}\\` : `\\${mark}`));
}

type LineKind = "row" | "item" | "other";

function kindOf(line: string): LineKind {
  if (line.startsWith("| ")) return "row";
  return line.startsWith("- ") ? "item" : "other";
}

function separatorOf(row: string): string {
  const cells = row.split(" | ").length;
  return `|${" --- |".repeat(cells)}`;
}

/** For a line that names the document or a page. */
function markOf(line: string): string[] | null {
  const title = TITLE.exec(line)?.[1];
  if (title !== undefined) return [`**${literal(title)}**`];
  const page = PAGE.exec(line)?.[1];
  if (page === undefined) return null;
  return [...(page === "1" ? [] : ["---", ""]), `**Page ${page}**`];
}
