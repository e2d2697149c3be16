const GIST_CHARS = 200;
const TELLING_ARGUMENTS = ["path", "file_path", "command", "expression", "name", "query", "url", "pattern", "timezone"];

/** The gist of a call whose tool provides none: the argument that most likely says what the call is about. */
export function plainGist(args: Readonly<Record<string, unknown>>): string {
  for (const name of TELLING_ARGUMENTS) {
    const text = args[name];
    if (typeof text === "string" && text !== "") return oneLine(text);
  }
  const first = Object.entries(args).find(([, value]) => typeof value === "string" || typeof value === "number");
  return first ? oneLine(`${first[0]}: ${String(first[1])}`) : "";
}

/** `text` without line breaks, cut to 200 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length > GIST_CHARS ? `${line.slice(0, GIST_CHARS).toWellFormed()}…` : line;
}
