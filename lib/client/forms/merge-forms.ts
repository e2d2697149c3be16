/**
 * Reapplies what was typed on `base` to what another person has saved since; `overlaps` are the fields that both
 * changed, where the typed values win.
 */
export function mergeForms<Form extends object>(
  base: Form,
  typed: Form,
  theirs: Form,
): { readonly form: Form; readonly overlaps: readonly (keyof Form)[] } {
  const names = Object.keys(base) as (keyof Form)[];
  const mine = names.filter((name) => !isSame(typed[name], base[name]));
  const overlaps = mine.filter((name) => !isSame(theirs[name], base[name]) && !isSame(theirs[name], typed[name]));
  return { form: { ...theirs, ...Object.fromEntries(mine.map((name) => [name, typed[name]])) }, overlaps };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The message for the person whose form was merged. */
export function conflictText(name: string, overlapCount: number): string {
  const start = `Another person saved ${name} while you were typing.`;
  if (overlapCount === 0) return `${start} The form has both changes: save again.`;
  return `${start} Where you both changed something, the form has what you typed, and theirs stands below: save again to keep yours.`;
}
