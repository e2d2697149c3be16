/** Anthropic, and what stands in front of it, refuses the whole request for one other name at the top of a schema. */
const ACCEPTED = /^[\w.-]{1,64}$/;
const LONGEST = 64;

/** The sent name of each argument whose own name providers refuse; different from all others. */
export function sentNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => ACCEPTED.test(name)));
  const sent = new Map<string, string>();
  for (const name of names) {
    if (ACCEPTED.test(name)) continue;
    const free = freeName(name.replaceAll(/[^\w.-]/gu, "_") || "_", taken);
    taken.add(free);
    sent.set(name, free);
  }
  return sent;
}

function freeName(plain: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? "" : `_${count}`;
    const name = plain.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

/** The object with other names, in its order. */
export function renamed<Value>(
  values: Readonly<Record<string, Value>>,
  names: ReadonlyMap<string, string>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]));
}
