const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A text in parts of at most `limit` characters, cut at the end of a paragraph, a line or a word. A code block that
 * fits into a part stays whole; a longer one is closed at the end of a part and reopened in the next.
 */
export function splitText(text: string, limit: number): string[] {
  const parts: string[] = [];
  let part = "";
  const flush = () => {
    if (part.trim() !== "") parts.push(part.replace(/^\n+/, "").trimEnd());
    part = "";
  };
  for (const block of blocksOf(text)) {
    const piece = part === "" ? block.text : `${part}\n${block.text}`;
    if (piece.length <= limit) {
      part = piece;
      continue;
    }
    flush();
    for (const one of block.text.length <= limit ? [block.text] : cutBlock(block, limit)) {
      flush();
      part = one;
    }
  }
  flush();
  return parts;
}

interface Block {
  readonly text: string;
  /** The opening line of a code block. */
  readonly fence: string | null;
}

/** Prose line by line, code blocks as a whole. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | null = null;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (open === null && mark === undefined) blocks.push({ text: line, fence: null });
    else if (open === null) open = { mark: mark ?? "", lines: [line] };
    else {
      open.lines.push(line);
      if (!closes(line, open.mark)) continue;
      blocks.push(codeBlock(open.lines));
      open = null;
    }
  }
  if (open) blocks.push(codeBlock(open.lines));
  return blocks;
}

function closes(line: string, mark: string): boolean {
  const found = FENCE.exec(line)?.[1];
  return found?.startsWith(mark) === true && line.trim() === found;
}

function codeBlock(lines: readonly string[]): Block {
  return { text: lines.join("\n"), fence: lines[0] ?? null };
}

function cutBlock({ text, fence }: Block, limit: number): string[] {
  if (fence === null) return cutLine(text, limit);
  const close = FENCE.exec(fence)?.[1] ?? "```";
  const lines = text.split("\n").slice(1);
  if (lines.at(-1)?.trim() === close) lines.pop();
  const room = Math.max(1, limit - fence.length - close.length - 2);
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const line of lines.flatMap((one) => hardCut(one, room))) {
    if (part.length > 0 && size + line.length + 1 > room) {
      parts.push(part.join("\n"));
      part = [];
      size = 0;
    }
    part.push(line);
    size += line.length + 1;
  }
  if (part.length > 0) parts.push(part.join("\n"));
  return parts.map((code) => `${fence}\n${code}\n${close}`);
}

/** Cuts at spaces if there are any. */
function cutLine(line: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > limit) {
    const space = rest.lastIndexOf(" ", limit);
    const at = space > limit / 2 ? space : safeCut(rest, limit);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest];
}

function hardCut(line: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > limit) {
    const at = safeCut(rest, limit);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

/** Never cuts between the two halves of a surrogate pair. */
function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return at > 1 && code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
