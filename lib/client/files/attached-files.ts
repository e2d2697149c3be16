/** The folder for files sent with a message, separate from what the agent writes. */
export const ATTACHED_FOLDER = "uploads";

/** `name` without characters that a path can't hold, and numbered if it is `taken`: nothing is overwritten. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  const clean =
    name
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
      .replace(/[/\\\u0000-\u001f\u007f\u2028\u2029]+/gu, "-")
      // They turn the direction of text: "exe.txt" may then be shown where the name ends in ".exe".
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
      .trim()
      // "." and ".." are folders; other names may begin with a dot.
      .replace(/^\.+$/u, "") || "file";
  if (!taken.has(clean)) return clean;
  const dot = clean.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  for (let number = 2; ; number++) {
    const numbered = `${stem}-${number}${extension}`;
    if (!taken.has(numbered)) return numbered;
  }
}
