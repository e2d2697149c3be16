import { findAllFolded, fold, foldWithPlaces } from "@/lib/schema/fold";

/** Elements around the text itself: facts, buttons, and text only for screen readers. */
const NOT_TEXT = "[role=toolbar], button, .sr-only, [aria-hidden=true], script, style, annotation";
const [ALL, CURRENT] = ["found", "found-now"];

/** The ranges of the words inside an element, including those that cross its children. */
export function rangesOf(element: Element, words: string): Range[] {
  const wanted = fold(words);
  if (wanted.trim() === "") return [];
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(NOT_TEXT)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const place = (at: number) => {
    const index = nodes.findLastIndex(({ start }) => start <= at);
    const found = nodes[index];
    return found && { node: found.node, offset: Math.min(found.node.length, at - found.start) };
  };
  const ranges: Range[] = [];
  for (const { start, end } of findAllFolded(foldWithPlaces(text), wanted)) {
    const [from, to] = [place(start), place(end - 1)];
    if (!from || !to) break;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.node.length, to.offset + 1));
    ranges.push(range);
  }
  return ranges;
}

/** Highlights the words without changing the DOM; browsers without support only scroll to them. */
export function markRanges(ranges: readonly Range[], current: Range | undefined): void {
  if (typeof Highlight === "undefined") return;
  CSS.highlights.set(ALL, new Highlight(...ranges));
  CSS.highlights.set(CURRENT, new Highlight(...(current ? [current] : [])));
}

export function clearMarks(): void {
  if (typeof Highlight === "undefined") return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
