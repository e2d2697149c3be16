/** The person's choice in the inbox: an item with its position. */
export type InboxChoice = { readonly id: string; readonly index: number } | null;

/** The open item: the chosen one, otherwise the first; after a decision, the one that takes its place. */
export function openItem(ids: readonly string[], choice: InboxChoice): string | null {
  if (choice === null) return ids[0] ?? null;
  if (ids.includes(choice.id)) return choice.id;
  return ids[Math.min(choice.index, ids.length - 1)] ?? null;
}

/** The choice one step forward (`by` 1) or back (-1); it stops at the ends. */
export function stepItem(ids: readonly string[], choice: InboxChoice, by: 1 | -1): InboxChoice {
  if (ids.length === 0) return choice;
  const open = openItem(ids, choice);
  const from = open === null ? -1 : ids.indexOf(open);
  const index = Math.min(ids.length - 1, Math.max(0, from + by));
  return { id: ids[index] ?? "", index };
}
