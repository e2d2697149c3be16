const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Names of fields that would reach what all objects share. */
export function isUnsafeKey(name: string): boolean {
  return UNSAFE_KEYS.has(name);
}

/** The first such name in a JSON value, walked without recursion; null if there is none. */
export function findUnsafeKey(root: unknown): string | null {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const unsafe = Array.isArray(value) ? undefined : Object.keys(value).find(isUnsafeKey);
    if (unsafe !== undefined) return unsafe;
    for (const child of Object.values(value)) open.push(child);
  }
  return null;
}
