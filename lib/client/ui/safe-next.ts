/** Where to go after sign-in: a path of this site, never another one. `fallback` for anything else. */
export function safeNext(next: string | null | undefined, fallback = "/"): string {
  if (!next?.startsWith("/")) return fallback;
  const base = "http://here.invalid";
  const url = URL.parse(next, base);
  // "//host" and "/\host" are other sites to a browser.
  if (url === null || url.origin !== base) return fallback;
  if (url.pathname === "/sign-in" || url.pathname === "/setup") return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
