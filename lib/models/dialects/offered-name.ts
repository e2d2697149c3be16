/** What templates and gateways write before a tool's name. */
const PREFIXES = ["functions.", "function.", "tools.", "tool.", "default_api.", "default_api:", "functions:"];
/** What is left of a template behind a name: `calculate<|channel|>commentary`. */
const LEFTOVER = "<|";

/**
 * The offered tool that a call means, without what templates put around its name; `name` as it is if none is meant. Some
 * servers leave the name out where the id holds it (`functions.calculate:0`).
 */
export function offeredName(name: string, id: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const written = withoutCount(name === "" ? id : name);
  const bare = withoutPrefix(written.split(LEFTOVER, 1)[0] ?? "")
    .replace("()", "")
    .trim();
  if (offered.has(bare)) return bare;
  const alike = [...offered].filter((known) => known.toLowerCase() === bare.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? name) : name;
}

function withoutPrefix(name: string): string {
  const prefix = PREFIXES.find((known) => name.startsWith(known));
  return prefix === undefined ? name : name.slice(prefix.length);
}

function withoutCount(id: string): string {
  return id.replace(/:\d{1,4}$/, "");
}
