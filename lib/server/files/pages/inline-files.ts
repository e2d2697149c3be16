import { mediaType, resolveIn } from "./addresses";
import { inlineModules } from "./inline-modules";
import { inlineStyles } from "./inline-styles";
import { checkPageSize } from "./page-limits";
import { type PageTag, readTags } from "./page-tags";

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

/** These could bypass the page's policy to reach other hosts, or embed a page without its guard. */
const DROPPED = new Set(["iframe", "frame", "frameset", "object", "embed", "portal", "fencedframe", "base"]);
/** Wherever a browser could see one of these tags that this parser missed: as text they are harmless. */
const LEFT_OVER = /<(?=(?:link|iframe|frame|frameset|object|embed|portal|fencedframe|base)[\s/>])/giu;
const LEFT_OVER_META = /<(?=meta[\s/>])/giu;
const LOADING = ["src", "poster", "srcset", "href", "xlink:href"];
/** A sheet in a sheet in a sheet … */
const MAX_SHEET_DEPTH = 4;

/**
 * A page of a workspace as one text: the files it uses from beside it are inlined, so that it needs no network. `html`
 * is at `path`. Anything that could reach other hosts before a script runs is removed. Throws DocumentRefused for a
 * page that grows too large. Runs in a document process only: its time depends on the page.
 */
export async function inlineFiles(html: string, path: string, read: ReadFile): Promise<InlinedPage> {
  const page = new PageWriter(html, path, read);
  for (const tag of readTags(html)) await page.writeTag(tag);
  return page.finish();
}

class PageWriter {
  readonly #parts: string[] = [];
  readonly #inlined: InlinedLines[] = [];
  /** Scripts deferred until the page has been parsed. */
  readonly #deferred: { readonly path: string; readonly start: string; readonly code: string }[] = [];
  #line = 1;
  #bytes = 0;
  /** Up to where the source is written. */
  #at = 0;
  private readonly source: string;
  private readonly path: string;
  private readonly read: ReadFile;

  constructor(source: string, path: string, read: ReadFile) {
    this.source = source;
    this.path = path;
    this.read = read;
  }

  async writeTag(tag: PageTag): Promise<void> {
    // It is in something that has been replaced as a whole.
    if (tag.start < this.#at) return;
    this.#copyTo(tag.start);
    const { name, attributes } = tag;
    if (DROPPED.has(name) || (name === "meta" && "http-equiv" in attributes)) this.#drop(tag.end);
    else if (name === "script") await this.#writeScript(tag);
    else if (name === "style") await this.#writeStyle(tag);
    else if (name === "link") await this.#writeLink(tag);
    else await this.#writeOther(tag);
  }

  finish(): InlinedPage {
    this.#copyTo(this.source.length);
    for (const { path, start, code } of this.#deferred)
      this.#writeInlined({ path, replaced: 0 }, start, code, "script");
    return { html: this.#parts.join(""), inlined: this.#inlined };
  }

  #write(text: string): void {
    const harmless = text.replaceAll(LEFT_OVER, "< ");
    this.#parts.push(harmless);
    this.#line += countLines(harmless);
    this.#bytes += Buffer.byteLength(harmless);
    checkPageSize(this.#bytes);
  }

  #copyTo(end: number): void {
    this.#write(this.source.slice(this.#at, end).replaceAll(LEFT_OVER_META, "< "));
    this.#at = end;
  }

  /** The tag itself; what only another parser could see in its attributes becomes text. */
  #copyTag({ start, end }: PageTag): void {
    this.#write(this.source.charAt(start) + this.source.slice(start + 1, end).replaceAll(LEFT_OVER_META, "< "));
    this.#at = end;
  }

  #drop(end: number): void {
    this.#write(lineBreaks(this.source.slice(this.#at, end)));
    this.#at = end;
  }

  #writeInlined(origin: Pick<InlinedLines, "path" | "replaced">, start: string, content: string, tag: string): void {
    this.#write(start);
    const from = this.#line;
    this.#write(content);
    this.#inlined.push({ from, to: this.#line, ...origin });
    this.#write(`</${tag}>`);
  }

  async #writeScript(tag: PageTag): Promise<void> {
    const { attributes, contentEnd } = tag;
    const end = this.#closedAt(contentEnd, "script");
    const type = attributes.type?.toLowerCase() ?? "";
    if (type === "speculationrules") return this.#drop(end);
    const isModule = type === "module";
    const content = this.source.slice(tag.end, contentEnd);
    if (attributes.src === undefined) {
      this.#copyTag(tag);
      this.#write(inScript(isModule ? await this.#module(content, this.path) : content));
      this.#at = contentEnd;
      return;
    }
    const path = resolveIn(this.path, attributes.src);
    const text = path === null ? null : await this.#text(path);
    if (path === null || text === null) return this.#copyTag(tag);
    const start = openingTag("script", without(attributes, ["src", "async", "defer", "integrity", "crossorigin"]));
    const code = inScript(isModule ? await this.#module(text, path) : text);
    const replaced = countLines(this.source.slice(tag.start, end));
    this.#at = end;
    if (!isModule && "defer" in attributes) {
      this.#write("\n".repeat(replaced));
      this.#deferred.push({ path, start, code });
    } else {
      this.#writeInlined({ path, replaced }, start, code, "script");
    }
  }

  /** The index behind the closing tag that begins at `at`, if there is one. */
  #closedAt(at: number, name: string): number {
    if (this.source.slice(at, at + 2 + name.length).toLowerCase() !== `</${name}`) return at;
    const end = this.source.indexOf(">", at);
    return end === -1 ? this.source.length : end + 1;
  }

  async #writeStyle(tag: PageTag): Promise<void> {
    const content = this.source.slice(tag.end, tag.contentEnd);
    const css = (await this.#css(content, this.path)).replaceAll(LEFT_OVER_META, "< ");
    this.#copyTag(tag);
    this.#write(oneLine(content, inStyle(css)));
    this.#at = tag.contentEnd;
  }

  async #writeLink(tag: PageTag): Promise<void> {
    const { rel = "", href = "", media } = tag.attributes;
    if (rel.trim().toLowerCase() !== "stylesheet") return this.#drop(tag.end);
    const path = resolveIn(this.path, href);
    const text = path === null ? null : await this.#text(path);
    if (path === null || text === null) {
      // The policy blocks a sheet from another host, and the page reports it.
      const address = JSON.stringify(href).replaceAll("<", "\\3C ");
      this.#write(`<style>@import url(${address});</style>`);
      return this.#drop(tag.end);
    }
    const css = inStyle(await this.#css(text, path)).replaceAll(LEFT_OVER_META, "< ");
    const replaced = countLines(this.source.slice(tag.start, tag.end));
    this.#at = tag.end;
    this.#writeInlined({ path, replaced }, openingTag("style", media === undefined ? {} : { media }), css, "style");
  }

  /** Its images and other media become data URLs. Links to other pages are kept. */
  async #writeOther(tag: PageTag): Promise<void> {
    const { name, attributes } = tag;
    const changed = await this.#loaded(tag);
    const { style = "" } = attributes;
    const css = /url\(/iu.test(style) ? await this.#css(style, this.path) : style;
    if (css !== style) changed.style = css;
    if (Object.keys(changed).length === 0) return this.#copyTag(tag);
    // `image` in SVG is another element than `img`, which the parser takes it for outside of SVG.
    const sourceName = this.source.slice(tag.start + 1, tag.start + 1 + name.length);
    const written = sourceName.toLowerCase() === name.toLowerCase() ? sourceName : name;
    this.#write(openingTag(written, { ...attributes, ...changed }, this.source.endsWith("/>", tag.end)));
    this.#at = tag.end;
  }

  /** The attributes that name a file of the workspace, with its data. */
  async #loaded({ name, attributes }: PageTag): Promise<Record<string, string>> {
    const loaded: Record<string, string> = {};
    const isLinking = !["image", "img", "use"].includes(name);
    for (const one of LOADING) {
      const value = attributes[one];
      if (value === undefined || (isLinking && one.endsWith("href"))) continue;
      const address = one === "srcset" ? (value.trim().split(/[\s,]+/u, 1)[0] ?? "") : value;
      const data = await this.#data(address, this.path);
      if (data !== null) loaded[one] = data;
    }
    return loaded;
  }

  /** A style sheet with its images, fonts and imported sheets inlined. */
  async #css(text: string, from: string, depth = 0): Promise<string> {
    const css = await inlineStyles(text, {
      data: (href) => this.#data(href, from),
      sheet: async (href) => {
        const path = resolveIn(from, href);
        const sheet = path === null || depth >= MAX_SHEET_DEPTH ? null : await this.#text(path);
        return path === null || sheet === null ? null : this.#css(sheet, path, depth + 1);
      },
    });
    checkPageSize(css.length);
    return css;
  }

  #module(code: string, path: string): Promise<string> {
    return inlineModules(code, path, (inner) => this.#text(inner));
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

function lineBreaks(text: string): string {
  return "\n".repeat(countLines(text));
}

/** Keeps the number of lines, so that the line numbers below stay valid. */
function oneLine(before: string, after: string): string {
  const missing = countLines(before) - countLines(after);
  if (missing >= 0) return after + "\n".repeat(missing);
  const lines = after.split("\n").map((line) => line.trim());
  return lines.join(" ") + lineBreaks(before);
}

/** Escapes code so that nothing in it can end the script element early, or be a tag where scripts are markup (SVG). */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/giu, "\\x3C").replaceAll(LEFT_OVER_META, "\\u003C");
}

function inStyle(css: string): string {
  return css.replaceAll(/<\/(?=style)/giu, "<\\/");
}

function without(attributes: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

function openingTag(name: string, attributes: Readonly<Record<string, string>>, isSelfClosing = false): string {
  const words = Object.entries(attributes).map(([one, value]) => {
    const text = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    return value === "" ? ` ${one}` : ` ${one}="${text}"`;
  });
  return `<${name}${words.join("")}${isSelfClosing ? "/" : ""}>`;
}
