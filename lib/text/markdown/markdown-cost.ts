/** Deeper nesting than in any text that people read. */
const MOST_NESTING = 50;
/** A list inside of another is indented by two or more. */
const INDENT = 2;
/** The parser compares each line of a block with those after it; rows of tables are free of that. */
const MOST_LINES = 2_000;
/** Cells that rows lack are made up: a wide head over many short rows would be millions. */
const CELLS_PER_CHARACTER = 4;
/** At a line that only seems to divide a table's head from its rows the parser reads the rest of the block in vain. */
const VAIN_STEPS_PER_CHARACTER = 4;
const MOST_VAIN_STEPS = 2_000_000;
/** Each mark may make the parser read the rest of its paragraph. */
const MOST_MARK_STEPS = 10_000_000;
const MOST_MARKS = 4_000;
/** At each character of a word without spaces the parser looks for the end of an address. */
const MOST_WORD_CHARACTERS = 2_000;
/** At each blank of a run the parser looks for the line end behind it. */
const MOST_BLANKS = 500;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DIVIDER = /^[\s>|:-]*$/;
const BLANKS = " \t\n";
const MARKS = /[*_~`[\]<$\\!&]/gu;

/** Whether the blocks of a text would take a parser more than time in proportion to its length. */
export function hasCostlyBlocks(text: string): boolean {
  let fence: string | null = null;
  let block = NO_BLOCK;
  let vainSteps = 0;
  for (const line of linesOf(text)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (markersOf(line) > MOST_NESTING) {
      return true;
    }
    vainSteps += block.falseDividers * line.length;
    block = line.trim() === "" || fence !== null ? NO_BLOCK : grown(block, line);
    if (isCostly(block)) return true;
  }
  return vainSteps > VAIN_STEPS_PER_CHARACTER * text.length + MOST_VAIN_STEPS;
}

interface Block {
  readonly lines: number;
  readonly rows: number;
  readonly columns: number;
  readonly falseDividers: number;
  readonly last: string;
  readonly characters: number;
}

const NO_BLOCK: Block = { lines: 0, rows: 0, columns: 0, falseDividers: 0, last: "", characters: 0 };

function grown({ lines, rows, columns, falseDividers, last, characters }: Block, line: string): Block {
  const isRow = line.includes("|");
  const isDivider = DIVIDER.test(line);
  const isTrue = isRow && isDivider && cellsOf(line) === cellsOf(last);
  return {
    lines: lines + (isRow && !isDivider ? 0 : 1),
    rows: rows + 1,
    columns: isRow ? Math.max(columns, line.split("|").length) : columns,
    falseDividers: falseDividers + (isDivider && !isTrue ? 1 : 0),
    last: line,
    characters: characters + line.length,
  };
}

/** As the parser counts them: bars at the beginning and the end divide nothing. */
function cellsOf(line: string): number {
  const cells = line.replaceAll(/\\./g, "x").split("|");
  if (cells[0]?.trim() === "") cells.shift();
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.length;
}

function isCostly({ lines, rows, columns, characters }: Block): boolean {
  return lines > MOST_LINES || (columns > 2 && rows * columns > CELLS_PER_CHARACTER * characters + MOST_LINES);
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length + 1 : end + 1;
  }
}

/** How deeply a line that begins with marks of lists and quotes is nested; 0 for any other line. */
function markersOf(line: string): number {
  const indent = line.length - line.trimStart().length;
  let markers = 0;
  let digits = 0;
  for (const character of line) {
    if (character === " " || character === "\t") continue;
    if (character >= "0" && character <= "9" && digits < 9) {
      digits += 1;
      continue;
    }
    if (!">-+*".includes(character) && !(digits > 0 && ".)".includes(character))) break;
    digits = 0;
    markers += 1;
  }
  return markers === 0 ? 0 : markers + Math.floor(indent / INDENT);
}

/** The same for what stands in one paragraph, heading or cell: such a text has no formatting. */
export function isCostlyInline(text: string): boolean {
  if (text.length <= MOST_WORD_CHARACTERS) return false;
  const marks = text.match(MARKS)?.length ?? 0;
  if (marks > MOST_MARKS || marks * text.length > MOST_MARK_STEPS) return true;
  return hasLongRun(text);
}

/** Whether a word, or the blanks between two words, are longer than in any text that people write. */
function hasLongRun(text: string): boolean {
  let start = 0;
  let isBlank = false;
  for (let at = 0; at <= text.length; at += 1) {
    const isNextBlank: boolean = at < text.length ? BLANKS.includes(text.charAt(at)) : !isBlank;
    if (isNextBlank === isBlank) continue;
    if (at - start > (isBlank ? MOST_BLANKS : MOST_WORD_CHARACTERS)) return true;
    start = at;
    isBlank = isNextBlank;
  }
  return false;
}
