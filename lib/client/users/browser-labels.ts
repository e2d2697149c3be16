/** In order: most also name other engines. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Mac OS X", "macOS"],
  ["Windows", "Windows"],
  ["Linux", "Linux"],
] as const;

/** A browser's user agent in two words: "Firefox on Linux". */
export function browserLabel(userAgent: string | null): string {
  if (!userAgent) return "An unknown browser";
  const browser = BROWSERS.find(([part]) => userAgent.includes(part))?.[1];
  const system = SYSTEMS.find(([part]) => userAgent.includes(part))?.[1];
  if (!browser) return userAgent.split(/[\s/]/)[0] ?? "An unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
