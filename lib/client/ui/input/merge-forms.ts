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
  const mine = names.filter((name) => typed[name] !== base[name]);
  const overlaps = mine.filter((name) => theirs[name] !== base[name] && theirs[name] !== typed[name]);
  return { form: { ...theirs, ...Object.fromEntries(mine.map((name) => [name, typed[name]])) }, overlaps };
}

/** The message for the person whose form was merged. */
export function conflictWords(name: string, overlaps: readonly string[]): string {
  const start = `Another person saved ${name} while you were typing.`;
  if (overlaps.length === 0) return `${start} The form has both changes: save again.`;
  return `${start} You both changed: ${overlaps.join(", ")}. The form has what you typed: save again to keep it, or cancel to take theirs.`;
}
