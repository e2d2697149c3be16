/** The maximum number of lines of one attribution. */
const MOST_WRAPPED = 3;
/** A line that attributes the following quote, in the languages of common mail programs. */
const ATTRIBUTION =
  /^(?:on .{4,200} wrote|am .{4,200} schrieb .{1,120}|le .{4,200} a écrit|el .{4,200} escribió|il .{4,200} ha scritto|op .{4,200} schreef .{1,120}|.{4,200} schrieb am .{4,120})\s*:$/i;
/** Marks the point after which nothing is the person's own text. */
const HISTORY =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}|_{20,})$/i;
/** The block of headers that Outlook puts above the answered mail. */
const HEADER_BLOCK = /^\*?(?:from|von|de|van|da)\s*:\*?\s.+@?/i;
const HEADER_NEXT = /^\*?(?:sent|gesendet|envoyé|enviado|date|datum|to|an|à|para)\s*:/i;
/** Footers that mail programs add. */
const SENT_FROM =
  /^(?:sent from my .{1,60}|von meinem .{1,60} gesendet|envoyé de mon .{1,60}|get outlook for .{1,30}|gesendet mit .{1,60})\.?$/i;

/**
 * The text a person wrote in a mail, without the answered text and without their signature. Text between quoted lines
 * is kept.
 */
export function cutHistory(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const own: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    if (line === "--" || line === "—" || HISTORY.test(line.trim()) || startsHeaders(lines, at)) break;
    const attribution = attributionLength(lines, at);
    if (attribution > 0) at += attribution - 1;
    else if (!line.startsWith(">")) own.push(line);
  }
  while (own.length > 0 && isBelow(own.at(-1) ?? "")) own.pop();
  return own
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Whether a line is empty or was added by a mail program. */
function isBelow(line: string): boolean {
  return line.trim() === "" || SENT_FROM.test(line.trim());
}

/** Handles attributions that programs wrap after some 78 characters. */
function attributionLength(lines: readonly string[], at: number): number {
  const wrapped: string[] = [];
  for (const line of lines.slice(at, at + MOST_WRAPPED)) {
    if (line.trim() === "") return 0;
    wrapped.push(line.trim());
    if (line.trim().endsWith(":")) return ATTRIBUTION.test(wrapped.join(" ")) ? wrapped.length : 0;
  }
  return 0;
}

function startsHeaders(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? "").trim();
  return HEADER_BLOCK.test(line) && lines.slice(at + 1, at + 4).some((next) => HEADER_NEXT.test(next.trim()));
}
