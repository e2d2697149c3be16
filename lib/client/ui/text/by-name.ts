interface Named {
  readonly name: string;
}

/** Sorted by name, as people expect it. A collator takes a phone 60 ms to make, and is needed only for other letters. */
export function byName<Item extends Named>(items: readonly Item[]): Item[] {
  if (items.every(({ name }) => PLAIN.test(name))) {
    const keyed = items.map((item) => ({ item, key: item.name.toLowerCase() }));
    return keyed
      .sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
      .map(({ item }) => item);
  }
  return items.toSorted((left, right) => left.name.localeCompare(right.name, "en"));
}

/** Letters and digits, whose order is that of their codes, and what stands before them in both orders. */
const PLAIN = /^[a-z\d ]*$/iu;
