import path from "node:path";
import { Parser } from "htmlparser2";
import { DOCUMENT_LIMITS, DocumentRefused, type DocumentText, tooLong } from "./document";
import { unzipOffice } from "./unzip-office";

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";
const STRINGS = "xl/sharedStrings.xml";
const STYLES = "xl/styles.xml";

/** Each sheet as CSV below a line with its name. Numbers are as stored, dates in ISO 8601. */
export async function readXlsx(bytes: Uint8Array): Promise<DocumentText> {
  const others = new Set([WORKBOOK, RELATIONS, STRINGS, STYLES]);
  const parts = await unzipOffice(bytes, (name) => others.has(name) || name.startsWith("xl/worksheets/"));
  const workbook = parts.get(WORKBOOK);
  if (workbook === undefined) throw new DocumentRefused("It is no Excel file: it has no workbook in it.");
  const context: SheetContext = {
    strings: readStrings(parts.get(STRINGS) ?? ""),
    dates: readDateStyles(parts.get(STYLES) ?? ""),
    budget: { cells: DOCUMENT_LIMITS.cells, characters: DOCUMENT_LIMITS.characters },
  };
  const sheets = listSheets(workbook, parts.get(RELATIONS) ?? "").map(({ name, file }) => {
    const rows = readSheet(parts.get(file) ?? "", context);
    return `[Sheet ${JSON.stringify(name)}]\n${rows.join("\n") || "(empty)"}`;
  });
  return { title: null, text: sheets.join("\n\n") };
}

interface SheetContext {
  readonly strings: readonly string[];
  /** By cell style number: whether its number is a date. */
  readonly dates: readonly boolean[];
  readonly budget: { cells: number; characters: number };
}

interface Reader {
  open(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

function readXml(xml: string, reader: Reader): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text?.(text),
      onclosetag: (name) => reader.close?.(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

function listSheets(workbook: string, relations: string): { name: string; file: string }[] {
  const files = new Map<string, string>();
  readXml(relations, {
    open(name, { Id, Target }) {
      if (name !== "Relationship" || !Id || !Target) return;
      files.set(Id, Target.startsWith("/") ? Target.slice(1) : path.posix.join("xl", Target));
    },
  });
  const sheets: { name: string; file: string }[] = [];
  readXml(workbook, {
    open(tag, { name = "", "r:id": id = "" }) {
      if (tag === "sheet") sheets.push({ name, file: files.get(id) ?? "" });
    },
  });
  return sheets;
}

function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let isText = false;
  let isPhonetic = false;
  readXml(xml, {
    open(name) {
      if (name === "si") strings.push("");
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isText = true;
    },
    text(text) {
      if (isText && !isPhonetic) strings[strings.length - 1] += text;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "rPh") isPhonetic = false;
    },
  });
  return strings;
}

/** Excel's built-in number formats for dates and times. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

function readDateStyles(xml: string): boolean[] {
  const custom = new Map<number, boolean>();
  const dates: boolean[] = [];
  let isCells = false;
  readXml(xml, {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") custom.set(Number(numFmtId), isDateFormat(formatCode));
      if (name === "cellXfs") isCells = true;
      if (name === "xf" && isCells) dates.push(custom.get(Number(numFmtId)) ?? BUILT_IN_DATES.has(Number(numFmtId)));
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  return dates;
}

/** Outside quotes and brackets, only date and time formats contain these letters. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\][]*\]|\\./g, ""));
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
}

function readSheet(xml: string, context: SheetContext): string[] {
  const rows: string[] = [];
  let row: Cell[] = [];
  let cell: Cell | null = null;
  let isValue = false;
  readXml(xml, {
    open(name, { r = "", t = "n", s = "0" }) {
      if (name === "row") row = [];
      else if (name === "c") cell = { column: columnOf(r) ?? row.length, type: t, style: Number(s), value: "" };
      else if (name === "v" || name === "t") isValue = true;
    },
    text(text) {
      if (isValue && cell) cell.value += text;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && cell) {
        if (cell.value !== "") row.push(cell);
        cell = null;
      } else if (name === "row" && row.length > 0) rows.push(writeRow(row, context));
    },
  });
  return rows;
}

function writeRow(row: readonly Cell[], context: SheetContext): string {
  const { budget } = context;
  // Empty cells before a filled one are written too.
  budget.cells -= Math.max(...row.map(({ column }) => column)) + 1;
  if (budget.cells < 0) {
    const most = DOCUMENT_LIMITS.cells.toLocaleString("en-US");
    throw new DocumentRefused(
      `It has more than ${most} cells. Save the sheets that are needed in a file of their own.`,
    );
  }
  const cells: string[] = [];
  for (const cell of row) cells[cell.column] = quote(textOfCell(cell, context));
  const line = Array.from(cells, (value) => value ?? "").join(",");
  budget.characters -= line.length;
  if (budget.characters < 0) throw tooLong();
  return line;
}

function textOfCell({ type, value, style }: Cell, { strings, dates }: SheetContext): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || !dates[style]) return value;
  return dateOf(Number(value)) ?? value;
}

const DAY_MS = 86_400_000;
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30);

/** Excel counts days from 30 December 1899. */
function dateOf(days: number): string | null {
  const date = new Date(EXCEL_EPOCH_MS + Math.round(days * DAY_MS));
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString().slice(0, 19);
  if (days < 1) return text.slice(11);
  return text.endsWith("T00:00:00") ? text.slice(0, 10) : text.replace("T", " ");
}

function quote(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const MAX_COLUMNS = 16_384;

/** "C7" is column 2; undefined if the reference has no column. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return Math.min(number, MAX_COLUMNS) - 1;
}
