import { Parser } from "htmlparser2";
import { DOCUMENT_LIMITS, DocumentRefused, type DocumentText, tooLong } from "./document";
import { unzipOffice } from "./unzip-office";

const BODY = "word/document.xml";
const CORE = "docProps/core.xml";

/** The text of a Word file with its headings, lists and tables; page breaks are those of Word's last layout. */
export async function readDocx(bytes: Uint8Array): Promise<DocumentText> {
  const parts = await unzipOffice(bytes, (name) => name === BODY || name === CORE);
  const body = parts.get(BODY);
  if (body === undefined) throw new DocumentRefused("It is no Word file: it has no document in it.");
  const title = /<dc:title>([^<]+)<\/dc:title>/.exec(parts.get(CORE) ?? "")?.[1]?.trim() ?? "";
  return { title: title === "" ? null : title, text: textOf(body) };
}

/** The state of one paragraph. */
interface Paragraph {
  text: string;
  heading: number;
  isListed: boolean;
}

class DocxText {
  private readonly pages: string[][] = [[]];
  private paragraph: Paragraph = { text: "", heading: 0, isListed: false };
  private row: string[] | null = null;
  private cell: string[] | null = null;
  private isText = false;
  private characters = 0;

  open(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case "w:p":
        this.paragraph = { text: "", heading: 0, isListed: false };
        return;
      case "w:pStyle":
        this.paragraph.heading = headingLevel(attributes["w:val"] ?? "");
        return;
      case "w:numPr":
        this.paragraph.isListed = true;
        return;
      case "w:t":
        this.isText = true;
        return;
      case "w:tab":
        this.paragraph.text += "\t";
        return;
      case "w:br":
        if (attributes["w:type"] === "page") this.breakPage();
        else this.paragraph.text += "\n";
        return;
      case "w:lastRenderedPageBreak":
        this.breakPage();
        return;
      case "w:tr":
        this.row = [];
        return;
      case "w:tc":
        this.cell = [];
    }
  }

  text(text: string): void {
    if (!this.isText) return;
    this.characters += text.length;
    if (this.characters > DOCUMENT_LIMITS.characters) throw tooLong();
    this.paragraph.text += text;
  }

  close(name: string): void {
    if (name === "w:t") this.isText = false;
    else if (name === "w:p") this.endParagraph();
    else if (name === "w:tc") {
      this.row?.push((this.cell ?? []).join(" "));
      this.cell = null;
    } else if (name === "w:tr") {
      this.add(`| ${(this.row ?? []).join(" | ")} |`);
      this.row = null;
    }
  }

  result(): string {
    const pages = this.pages.map((lines) => lines.join("\n").trim());
    return pages.map((page, index) => `[Page ${index + 1}]\n${page}`).join("\n\n");
  }

  private endParagraph(): void {
    const { text, heading, isListed } = this.paragraph;
    this.paragraph = { text: "", heading: 0, isListed: false };
    if (this.cell) {
      if (text.trim() !== "") this.cell.push(text.trim());
      return;
    }
    const mark = heading > 0 ? `${"#".repeat(heading)} ` : isListed ? "- " : "";
    this.add(text.trim() === "" ? "" : mark === "" ? text : mark + text.trimStart());
  }

  private add(line: string): void {
    this.pages.at(-1)?.push(line);
  }

  private breakPage(): void {
    if (this.cell) return;
    const { text } = this.paragraph;
    if (text.trim() !== "") this.add(text);
    this.paragraph.text = "";
    if (this.pages.length >= DOCUMENT_LIMITS.pages) {
      throw new DocumentRefused(`It has more than ${DOCUMENT_LIMITS.pages} pages. Split it.`);
    }
    this.pages.push([]);
  }
}

function textOf(xml: string): string {
  const text = new DocxText();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => text.open(name, attributes),
      ontext: (data) => text.text(data),
      onclosetag: (name) => text.close(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return text.result();
}

function headingLevel(style: string): number {
  if (/^title$/i.test(style)) return 1;
  const [, level = "0"] = /^heading\s?(\d)$/i.exec(style) ?? [];
  return Math.min(6, Number(level));
}
