import { Parser } from "htmlparser2";

/** An opening tag of a page. `contentEnd` is where the next tag begins, or the page ends. */
export interface PageTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly start: number;
  readonly end: number;
  contentEnd: number;
}

/** The opening tags of a page in order, as a browser sees them; those in comments and scripts are none. */
export function readTags(html: string): readonly PageTag[] {
  const tags: PageTag[] = [];
  for (let from = 0; from < html.length; ) from = readTagsFrom(html, from, tags);
  return tags;
}

/**
 * Reads until an iframe or the end; returns where it stopped. The content of an iframe is no markup to a browser, but
 * becomes markup once the iframe's tags are taken out.
 */
function readTagsFrom(html: string, from: number, tags: PageTag[]): number {
  let end = html.length;
  let open: PageTag | null = null;
  const closeBefore = (start: number) => {
    if (open !== null) open.contentEnd = Math.max(open.end, start);
    open = null;
  };
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (isImplied) return;
      const start = from + parser.startIndex;
      closeBefore(start);
      open = { name, attributes, start, end: from + parser.endIndex + 1, contentEnd: html.length };
      tags.push(open);
      if (name !== "iframe") return;
      end = open.end;
      parser.pause();
    },
    onclosetag(_name, isImplied) {
      if (!isImplied) closeBefore(from + parser.startIndex);
    },
  });
  parser.write(from === 0 ? html : html.slice(from));
  if (end === html.length) parser.end();
  return end;
}
