const MOST_CHARS = 100;

/**
 * The known name with the least edits to the given one in upper or lower case, for "Did you mean"; undefined if none
 * resembles it.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const meant = name.toLowerCase();
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(meant, one.toLowerCase()) }))
    .toSorted((left, right) => left.distance - right.distance);
  if (nearest === undefined) return undefined;
  return nearest.distance <= Math.min(name.length, MOST_CHARS) / 2 ? nearest.one : undefined;
}

/** Levenshtein's; of a longer name only its first characters count. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of [...left.slice(0, MOST_CHARS)].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (character === right[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
