import { parseDocument } from "htmlparser2";
import { trimEndOf } from "@/lib/schema/trim-characters";
import { DOCUMENT_LIMITS, type DocumentText, tooLong } from "./document";

type ChildNode = ReturnType<typeof parseDocument>["children"][number];
type Element = Extract<ChildNode, { readonly attribs: unknown }>;

/** Elements without content, or surrounding the page's subject. */
const LEFT_OUT = new Set([
  ...["script", "style", "noscript", "template", "svg", "canvas", "iframe", "object", "embed", "video", "audio"],
  ...["nav", "footer", "aside", "form", "button", "select", "input", "textarea", "dialog", "head", "title"],
]);
const BLOCKS = new Set([
  ...["address", "article", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption", "figure"],
  ...["header", "hgroup", "html", "main", "p", "section", "summary"],
]);
const MAX_DEPTH = 300;
/** A main element with less than this share of the page's text is not the page's subject. */
const MAIN_SHARE = 0.2;

/** A page as markdown: its main part, without menus, scripts and hidden content. `address` makes its links absolute. */
export function readHtml(bytes: Uint8Array, address: string): DocumentText {
  const page = parseDocument(decode(bytes), { decodeEntities: true });
  const title = textIn(find(page.children, (element) => element.name === "title") ?? null);
  const root = mainOf(page.children);
  const writer = new MarkdownWriter(baseOf(page.children, address));
  writer.writeAll(root, 0);
  return { title: title === "" ? null : title, text: writer.result() };
}

function decode(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2_000)).toString("latin1");
  const named = /<meta[^<>]+charset\s{0,9}=\s{0,9}["']?([\w-]+)/i.exec(start)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function mainOf(nodes: readonly ChildNode[]): readonly ChildNode[] {
  const main =
    find(nodes, ({ name, attribs }) => name === "main" || attribs.role === "main") ??
    find(nodes, ({ name }) => name === "article");
  if (!main) return nodes;
  return shownLength(main.children, 0) >= MAIN_SHARE * shownLength(nodes, 0) ? main.children : nodes;
}

function baseOf(nodes: readonly ChildNode[], address: string): string {
  const href = find(nodes, ({ name, attribs }) => name === "base" && attribs.href !== undefined)?.attribs.href;
  return href !== undefined && URL.canParse(href, address) ? new URL(href, address).href : address;
}

function find(nodes: readonly ChildNode[], isWanted: (element: Element) => boolean): Element | null {
  const open = [...nodes].toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isElement(node)) continue;
    if (isWanted(node)) return node;
    for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as ChildNode);
  }
  return null;
}

function isElement(node: ChildNode): node is Element {
  return node.type === "tag" || node.type === "script" || node.type === "style";
}

function isHidden({ attribs }: Element): boolean {
  if ("hidden" in attribs || attribs["aria-hidden"] === "true") return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|em|%)?\s*(?:;|$)/i.test(
    attribs.style ?? "",
  );
}

function shownLength(nodes: readonly ChildNode[], depth: number): number {
  if (depth > MAX_DEPTH) return 0;
  let length = 0;
  for (const node of nodes) {
    if (node.type === "text") length += node.data.trim().length;
    else if (isElement(node) && !LEFT_OUT.has(node.name) && !isHidden(node)) {
      length += shownLength(node.children, depth + 1);
    }
  }
  return length;
}

/** The text of a small element, without markup. */
function textIn(element: Element | null): string {
  const parts: string[] = [];
  const open: ChildNode[] = element ? [element] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "text") parts.push(node.data);
    else if (isElement(node)) open.push(...node.children.toReversed());
  }
  return parts.join("").replace(/\s+/g, " ").trim();
}

class MarkdownWriter {
  private readonly done: string[] = [];
  /** The tail of the output: the text before it no longer changes. */
  private out = "";
  /** How many enclosing elements wrap the output in markup. */
  private wraps = 0;
  private characters = 0;
  private isPreformatted = false;
  private indent = "";
  private readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  result(): string {
    return [...this.done, this.out]
      .join("")
      .split("\n")
      .map((line) => trimEndOf(line, /[ \t]/))
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
  }

  writeAll(nodes: readonly ChildNode[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const node of nodes) {
      if (node.type === "text") this.writeText(node.data);
      else if (isElement(node) && !LEFT_OUT.has(node.name) && !isHidden(node)) this.writeElement(node, depth + 1);
    }
  }

  private writeElement(element: Element, depth: number): void {
    const { name, children } = element;
    const inside = () => this.writeAll(children, depth);
    const write = this.special.get(name);
    if (/^h[1-6]$/.test(name)) this.writeBlock(`${"#".repeat(Number(name[1]))} `, inside);
    else if (BLOCKS.has(name)) this.writeBlock("", inside);
    else if (write) write(element, inside, depth);
    else inside();
  }

  private readonly special = new Map<string, (element: Element, inside: () => void, depth: number) => void>([
    ["br", () => this.put("\n")],
    ["hr", () => this.writeBlock("---", () => undefined)],
    ["pre", (element) => this.writePre(element)],
    ["code", (_, inside) => this.wrap("`", inside)],
    ["strong", (_, inside) => this.wrap("**", inside)],
    ["b", (_, inside) => this.wrap("**", inside)],
    ["em", (_, inside) => this.wrap("*", inside)],
    ["i", (_, inside) => this.wrap("*", inside)],
    ["a", (element, inside) => this.writeLink(element, inside)],
    ["img", ({ attribs }) => this.put(attribs.alt?.trim() ? `[image: ${attribs.alt.trim()}]` : "")],
    ["blockquote", (_, inside) => this.nested("> ", inside)],
    ["ul", (element, _, depth) => this.writeList(element, () => "- ", depth)],
    ["ol", (element, _, depth) => this.writeList(element, (number) => `${number}. `, depth)],
    ["tr", (element, _, depth) => this.writeRow(element, depth)],
    ["table", (_, inside) => this.writeBlock("", inside)],
  ]);

  private writeText(text: string): void {
    const flat = this.isPreformatted ? text : text.replace(/\s+/g, " ");
    const last = this.out.at(-1) ?? "\n";
    this.put(!this.isPreformatted && /\s/.test(last) ? flat.trimStart() : flat);
  }

  private put(text: string): void {
    this.characters += text.length;
    if (this.characters > DOCUMENT_LIMITS.characters) throw tooLong();
    this.out += this.indent === "" ? text : text.replaceAll("\n", `\n${this.indent}`);
  }

  private writeBlock(mark: string, inside: () => void): void {
    this.startLine(2);
    this.put(mark);
    inside();
    this.startLine(2);
  }

  private startLine(breaks: number): void {
    if (this.out === "") return;
    let there = 0;
    for (let at = this.out.length - 1; at >= 0 && /\s/.test(this.out[at] ?? ""); at -= 1) {
      if (this.out[at] === "\n") there += 1;
    }
    if (there < breaks) this.put("\n".repeat(breaks - there));
    // Inspecting the end of a long text again and again would copy it each time.
    if (this.wraps > 0 || this.out.length < 8_000) return;
    this.done.push(this.out.slice(0, -2));
    this.out = this.out.slice(-2);
  }

  private wrap(mark: string, inside: () => void): void {
    const before = this.writeInside(inside);
    const text = this.out.slice(before);
    if (text.trim() === "" || text.includes("\n")) return;
    const lead = text.slice(0, text.length - text.trimStart().length);
    const trail = text.slice(text.trimEnd().length);
    this.out = `${this.out.slice(0, before)}${lead}${mark}${text.trim()}${mark}${trail}`;
  }

  /** Returns the start of the inner content. */
  private writeInside(inside: () => void): number {
    const before = this.out.length;
    this.wraps += 1;
    inside();
    this.wraps -= 1;
    return before;
  }

  private writeLink({ attribs }: Element, inside: () => void): void {
    const before = this.writeInside(inside);
    const words = this.out.slice(before).trim();
    const href = attribs.href?.trim() ?? "";
    if (words === "" || words.includes("\n") || href === "" || href.startsWith("#")) return;
    if (!URL.canParse(href, this.base)) return;
    const { href: whole, protocol } = new URL(href, this.base);
    if (protocol !== "http:" && protocol !== "https:") return;
    const lead = this.out.slice(before).startsWith(" ") ? " " : "";
    this.out = `${this.out.slice(0, before)}${lead}[${words}](${whole})`;
    this.characters += whole.length;
  }

  private writePre(element: Element): void {
    this.startLine(2);
    this.put("```\n");
    this.isPreformatted = true;
    this.writeAll(element.children, 1);
    this.isPreformatted = false;
    this.startLine(1);
    this.put("```\n\n");
  }

  private nested(mark: string, inside: () => void): void {
    this.startLine(2);
    this.put(mark);
    const before = this.indent;
    this.indent += mark;
    inside();
    this.indent = before;
    this.startLine(2);
  }

  private writeList(element: Element, markOf: (number: number) => string, depth: number): void {
    this.startLine(this.indent === "" ? 2 : 1);
    let number = 0;
    for (const child of element.children) {
      if (!isElement(child) || child.name !== "li" || isHidden(child)) continue;
      number += 1;
      this.startLine(1);
      this.put(markOf(number));
      const before = this.indent;
      this.indent += "  ";
      this.writeAll(child.children, depth + 1);
      this.indent = before;
      this.out = this.out.trimEnd();
    }
    this.startLine(this.indent === "" ? 2 : 1);
  }

  private writeRow(element: Element, depth: number): void {
    const cells = element.children.filter((child): child is Element => isElement(child) && /^t[hd]$/.test(child.name));
    this.startLine(1);
    const texts = cells.map((cell) => {
      const inner = new MarkdownWriter(this.base);
      inner.writeAll(cell.children, depth + 1);
      return inner.result().replace(/\s+/g, " ").replaceAll("|", "\\|");
    });
    this.put(`| ${texts.join(" | ")} |\n`);
    if (cells.length > 0 && cells.every(({ name }) => name === "th")) this.put(`|${" --- |".repeat(cells.length)}\n`);
  }
}
