/** The person's choice in the inbox: an item with its position. */
export type InboxChoice = { readonly id: string; readonly index: number } | null;

/** The open item: the chosen one as long as it is there or kept, otherwise the first, or what took its place. */
export function openItem(
  ids: readonly string[],
  choice: InboxChoice,
  keeps: (id: string) => boolean = () => false,
): string | null {
  if (choice === null) return ids[0] ?? null;
  if (ids.includes(choice.id) || keeps(choice.id)) return choice.id;
  return ids[Math.min(choice.index, ids.length - 1)] ?? null;
}

/** The choice one step forward (`by` 1) or back (-1); it stops at the ends. */
export function stepItem(ids: readonly string[], choice: InboxChoice, by: 1 | -1): InboxChoice {
  if (ids.length === 0) return choice;
  const index = Math.min(ids.length - 1, Math.max(0, wantedIndex(ids, choice, by)));
  return { id: ids[index] ?? "", index };
}

/** After an item that has left the list comes what took its place. */
function wantedIndex(ids: readonly string[], choice: InboxChoice, by: 1 | -1): number {
  if (choice === null) return by;
  const at = ids.indexOf(choice.id);
  if (at !== -1) return at + by;
  return by === 1 ? choice.index : choice.index - 1;
}
