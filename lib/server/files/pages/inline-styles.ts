import { type Replacement, readAddress, replaceFound } from "./replace-found";

interface StyleReaders {
  /** The imported sheet, itself inlined; null to leave the import as it is. */
  readonly sheet: (href: string) => Promise<string | null>;
  /** The file as a data URL; null to leave the address as it is. */
  readonly data: (href: string) => Promise<string | null>;
}

/** A style sheet with its imported sheets, images and fonts inlined. */
export async function inlineStyles(css: string, { sheet, data }: StyleReaders): Promise<string> {
  const withSheets = await replaceFound(css, /@import(?=\s)/giu, async (at) => {
    const found = readImport(css, at);
    const text = found === null ? null : await sheet(found.href);
    return found === null || text === null ? null : { end: found.end, text };
  });
  return replaceFound(withSheets, /url\(/giu, (at) => dataUrl(withSheets, at, data));
}

async function dataUrl(css: string, at: number, data: StyleReaders["data"]): Promise<Replacement | null> {
  const found = readUrl(css, at);
  const url = found === null ? null : await data(found.href);
  return found === null || url === null ? null : { end: found.end, text: `url("${url}")` };
}

/** `at` is behind `@import`. */
function readImport(css: string, at: number): { readonly href: string; readonly end: number } | null {
  const start = skipSpace(css, at);
  const isUrl = css.slice(start, start + 4).toLowerCase() === "url(";
  const found = isUrl ? readUrl(css, start + 4) : readAddress(css, start);
  const end = found === null ? -1 : skipSpace(css, found.end);
  return found === null || css[end] !== ";" ? null : { href: found.href, end: end + 1 };
}

/** `at` is behind `url(`. */
function readUrl(css: string, at: number): { readonly href: string; readonly end: number } | null {
  const found = readAddress(css, skipSpace(css, at));
  const end = found === null ? -1 : skipSpace(css, found.end);
  return found === null || css[end] !== ")" ? null : { href: found.href.trim(), end: end + 1 };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text.charAt(at))) at += 1;
  return at;
}
