/** How many values the lists of a path may name together: `[0,0][0,0]…` doubles with each. */
const MOST_NAMED = 200;

/**
 * Why a JSONPath could take a time that grows faster than the answer it reads, which a service may choose; null if it
 * can't: `..` visits everything below, `$` in a filter everything again for each entry, and lists multiply.
 */
export function whyCostly(path: string): string | null {
  const { descents, roots, named } = countIn(path);
  if (descents > 1) return "“..” can be there only once";
  if (roots > 1) return "“$” can be only at the beginning";
  return named > MOST_NAMED ? `its lists name more than ${MOST_NAMED} values together` : null;
}

function countIn(path: string): { descents: number; roots: number; named: number } {
  const found = { descents: 0, roots: 0, named: 1 };
  const lists: number[] = [];
  for (let at = 0; at < path.length; at += 1) {
    const character = path[at] ?? "";
    if (character === '"' || character === "'") at = endOfText(path, at);
    else if (character === "$") found.roots += 1;
    else if (character === "[") lists.push(1);
    else if (character === "]") found.named *= lists.pop() ?? 1;
    else if (character === ",") lists.push((lists.pop() ?? 1) + 1);
    else if (character === "." && path[at + 1] === ".") {
      found.descents += 1;
      at += 1;
    }
  }
  return found;
}

/** The place of the closing quote, or the end. */
function endOfText(path: string, start: number): number {
  let at = start + 1;
  while (at < path.length && path[at] !== path[start]) at += path[at] === "\\" ? 2 : 1;
  return at;
}
