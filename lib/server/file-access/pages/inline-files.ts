import { posix } from "node:path";

/** Reads a file of the workspace; null if it is missing or too large. */
export type ReadFile = (path: string) => Promise<Uint8Array | null>;

/**
 * Lines `from` to `to` of the page, which come from `path`, starting at line 1, and replaced `replaced` line breaks.
 */
export interface InlinedLines {
  readonly from: number;
  readonly to: number;
  readonly path: string;
  readonly replaced: number;
}

export interface InlinedPage {
  readonly html: string;
  readonly inlined: readonly InlinedLines[];
}

const ATTRIBUTES = String.raw`(?:[^>"']|"[^"]*"|'[^']*')*`;
const TOKEN = new RegExp(
  String.raw`<!--[\s\S]*?(?:-->|$)|<(script|style|textarea|title)\b(${ATTRIBUTES})>([\s\S]*?)(</\1\s*>|$)|<([a-z][^\s/>]*)(${ATTRIBUTES})>`,
  "giu",
);
/** These could bypass the page's policy to reach other hosts, or embed a page without its guard. */
const DROPPED = new Set(["iframe", "frame", "frameset", "object", "embed", "portal", "fencedframe", "base"]);
/** Wherever an HTML parser could see one of these tags that this one missed: as text they are harmless. */
const LEFT_OVER = /<(?=(?:link|iframe|frame|frameset|object|embed|portal|fencedframe|base)[\s/>])/giu;
const LOADING = ["src", "poster", "srcset", "href", "xlink:href"];
const MOST_FILES = 200;
const MOST_BYTES = 20_000_000;

/**
 * A page of a workspace as one text: the files it uses from beside it are inlined, so that it needs no network. `html`
 * is at `path`. Anything that could reach other hosts before a script runs is removed.
 */
export async function inlineFiles(html: string, path: string, read: ReadFile): Promise<InlinedPage> {
  const page = new PageWriter(path, limited(read));
  let end = 0;
  for (const token of html.matchAll(TOKEN)) {
    page.write(html.slice(end, token.index));
    end = token.index + token[0].length;
    await page.writeToken(token);
  }
  page.write(html.slice(end));
  return page.finish();
}

function limited(read: ReadFile): ReadFile {
  let files = 0;
  let bytesLeft = MOST_BYTES;
  return async (path) => {
    if (++files > MOST_FILES) return null;
    const bytes = await read(path);
    if (bytes === null || bytes.byteLength > bytesLeft) return null;
    bytesLeft -= bytes.byteLength;
    return bytes;
  };
}

class PageWriter {
  readonly #parts: string[] = [];
  readonly #inlined: InlinedLines[] = [];
  /** Scripts deferred until the page has been parsed. */
  readonly #deferred: { readonly path: string; readonly start: string; readonly code: string }[] = [];
  #line = 1;
  private readonly path: string;
  private readonly read: ReadFile;

  constructor(path: string, read: ReadFile) {
    this.path = path;
    this.read = read;
  }

  write(text: string): void {
    this.#parts.push(text);
    this.#line += countLines(text);
  }

  async writeToken(token: RegExpExecArray): Promise<void> {
    const [whole, block, blockAttributes = "", content = "", closing = "", tag, attributes = ""] = token;
    const name = (block ?? tag ?? "").toLowerCase();
    const isDropped = DROPPED.has(name) || (name === "meta" && attributeOf(attributes, "http-equiv") !== null);
    if (name === "" || isDropped) this.write(isDropped ? "\n".repeat(countLines(whole)) : whole);
    else if (name === "script") await this.#writeScript(whole, blockAttributes, content);
    else if (name === "style") {
      this.write(`<style${blockAttributes}>${oneLine(content, await this.#css(content, this.path))}${closing}`);
    } else if (name === "link") await this.#writeLink(whole, attributes);
    else if (tag !== undefined) this.write(`<${tag}${await this.#withData(name, attributes)}>`);
    else this.write(whole);
  }

  finish(): InlinedPage {
    for (const { path, start, code } of this.#deferred)
      this.#writeInlined({ path, replaced: 0 }, start, code, "script");
    return { html: this.#parts.join("").replaceAll(LEFT_OVER, "< "), inlined: this.#inlined };
  }

  #writeInlined(origin: Pick<InlinedLines, "path" | "replaced">, start: string, content: string, tag: string): void {
    this.write(start);
    const from = this.#line;
    this.write(content);
    this.#inlined.push({ from, to: this.#line, ...origin });
    this.write(`</${tag}>`);
  }

  async #writeScript(whole: string, attributes: string, content: string): Promise<void> {
    const type = attributeOf(attributes, "type")?.toLowerCase() ?? "";
    if (type === "speculationrules") return this.write("\n".repeat(countLines(whole)));
    const source = attributeOf(attributes, "src");
    const isModule = type === "module";
    if (source === null) {
      const code = isModule ? await this.#module(content, this.path, new Set()) : content;
      return this.write(`<script${attributes}>${inScript(code)}</script>`);
    }
    const path = resolveIn(this.path, source);
    const text = path === null ? null : await this.#text(path);
    if (path === null || text === null) return this.write(whole);
    const start = `<script${withoutAttributes(attributes, ["src", "async", "defer", "integrity", "crossorigin"])}>`;
    const code = inScript(isModule ? await this.#module(text, path, new Set()) : text);
    if (!isModule && attributeOf(attributes, "defer") !== null) {
      this.write("\n".repeat(countLines(whole)));
      this.#deferred.push({ path, start, code });
    } else {
      this.#writeInlined({ path, replaced: countLines(whole) }, start, code, "script");
    }
  }

  async #writeLink(whole: string, attributes: string): Promise<void> {
    const lines = countLines(whole);
    if (attributeOf(attributes, "rel")?.trim().toLowerCase() !== "stylesheet") return this.write("\n".repeat(lines));
    const href = attributeOf(attributes, "href") ?? "";
    const path = resolveIn(this.path, href);
    const text = path === null ? null : await this.#text(path);
    if (path === null || text === null) {
      // The policy blocks a sheet from another host, and the page reports it.
      const address = JSON.stringify(href).replaceAll("<", "\\3C ");
      return this.write(`<style>@import url(${address});</style>${"\n".repeat(lines)}`);
    }
    const media = attributeOf(attributes, "media");
    const start = media === null ? "<style>" : `<style media="${media.replaceAll('"', "&quot;")}">`;
    const css = (await this.#css(text, path)).replaceAll("</style", "<\\/style");
    this.#writeInlined({ path, replaced: lines }, start, css, "style");
  }

  /** A tag's attributes, with its images and other media as data URLs. Links to other pages are kept. */
  async #withData(name: string, attributes: string): Promise<string> {
    const names = LOADING.filter((one) => !one.endsWith("href") || name === "image" || name === "use");
    let written = attributes;
    for (const one of names) {
      const value = attributeOf(written, one);
      if (value === null) continue;
      const data = one === "srcset" ? await this.#sourceSet(value) : await this.#data(value, this.path);
      if (data !== null) written = `${withoutAttributes(written, [one])} ${one}="${data}"`;
    }
    const style = attributeOf(written, "style");
    if (style === null || !/url\(/iu.test(style)) return written;
    const css = (await this.#css(style, this.path)).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return `${withoutAttributes(written, ["style"])} style="${css}"`;
  }

  async #sourceSet(value: string): Promise<string | null> {
    const [first = ""] = value.trim().split(/[\s,]+/u);
    return this.#data(first, this.path);
  }

  /** A style sheet with its images, fonts and imported sheets inlined. */
  async #css(text: string, from: string, depth = 0): Promise<string> {
    const withImports = await replaceEach(
      text,
      /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?\s*;/giu,
      async ([, href = ""]) => {
        const path = resolveIn(from, href);
        const sheet = path === null || depth > 3 ? null : await this.#text(path);
        return path === null || sheet === null ? null : this.#css(sheet, path, depth + 1);
      },
    );
    return replaceEach(withImports, /url\(\s*(["']?)([^"')]+)\1\s*\)/giu, async ([, , href = ""]) => {
      const data = await this.#data(href.trim(), from);
      return data === null ? null : `url("${data}")`;
    });
  }

  /**
   * A module with its imports as data URLs, which load without a network; modules in an import cycle are left as they
   * are.
   */
  async #module(text: string, from: string, above: ReadonlySet<string>): Promise<string> {
    return replaceEach(
      text,
      /(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{0,2}\/[^"'\n]+)\2/gu,
      async ([, before = "", quote = "", href = ""]) => {
        const path = resolveIn(from, href);
        const code = path === null || above.has(path) ? null : await this.#text(path);
        if (path === null || code === null) return null;
        const inner = await this.#module(code, path, new Set([...above, path]));
        return `${before}${quote}data:text/javascript;base64,${Buffer.from(inner).toString("base64")}${quote}`;
      },
    );
  }

  async #data(href: string, from: string): Promise<string | null> {
    const path = resolveIn(from, href);
    const bytes = path === null ? null : await this.read(path);
    if (path === null || bytes === null) return null;
    return `data:${mediaType(path)};base64,${Buffer.from(bytes).toString("base64")}`;
  }

  async #text(path: string): Promise<string | null> {
    const bytes = await this.read(path);
    return bytes === null ? null : decodeText(bytes);
  }
}

/** Strips the byte order mark; invalid UTF-8 is replaced. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** Keeps the number of lines, so that the line numbers below stay valid. */
function oneLine(before: string, after: string): string {
  const missing = countLines(before) - countLines(after);
  return missing >= 0
    ? after + "\n".repeat(missing)
    : after.replaceAll(/\s*\n\s*/gu, " ") + "\n".repeat(countLines(before));
}

/** Escapes code so that nothing in it can end the script element early. */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/giu, "\\x3C");
}

async function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (found: RegExpExecArray) => Promise<string | null>,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const replaced = await replace(found);
    if (replaced === null) continue;
    parts.push(text.slice(end, found.index), replaced);
    end = found.index + found[0].length;
  }
  return parts.join("") + text.slice(end);
}

/** The path that an address in one file refers to; null for other hosts, data URLs and anchors in the page. */
export function resolveIn(from: string, href: string): string | null {
  const address = href.trim();
  if (address === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/iu.test(address)) return null;
  try {
    const plain = decodeURIComponent(address.replace(/[?#].*$/su, ""));
    const path = plain.startsWith("/") ? plain.slice(1) : posix.join(posix.dirname(from), plain);
    return path === "" || path.split("/").includes("..") ? null : posix.normalize(path);
  } catch {
    return null;
  }
}

function attributePattern(name: string): RegExp {
  return new RegExp(
    String.raw`(?:^|(?<=[\s"'/]))${name}(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))|(?=[\s/]|$))`,
    "iu",
  );
}

/** Null if the attribute is missing; "" if it has no value. */
function attributeOf(attributes: string, name: string): string | null {
  const found = attributePattern(name).exec(attributes);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? "").replaceAll("&amp;", "&");
}

function withoutAttributes(attributes: string, names: readonly string[]): string {
  return names
    .reduce((rest, name) => rest.replace(attributePattern(name), ""), attributes.replace(/\/\s*$/u, ""))
    .replace(/[ \t]+$/u, "");
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

function mediaType(path: string): string {
  return MEDIA_TYPES[posix.extname(path).slice(1).toLowerCase()] ?? "application/octet-stream";
}
