import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** A section of the guide's index: its heading and its pages. */
export interface GuideSection {
  readonly title: string;
  /** `path` is below `/guide/`. */
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

export interface GuidePage {
  /** Below docs/, such as `guide/automation/schedules.md`: what its links are relative to. */
  readonly file: string;
  readonly title: string;
  /** Markdown without the title and without pictures, which an installation does not bring. */
  readonly text: string;
}

const INDEX = "README.md";
/** What an installation brings of docs/. */
const BROUGHT = /^(?:guide|reference)\//;
const SECTION = /^## (.+)$/;
const LINK = /\[([^\]\n]{1,80})\]\(([^)\n]{1,120})\.md\)/g;

/** The sections of docs/README.md, without those for people who change Ringmaster. */
export async function readGuideIndex(): Promise<GuideSection[]> {
  const sections: { title: string; pages: { path: string; title: string }[] }[] = [];
  for (const line of (await readDocument(INDEX)).split("\n")) {
    const [, title] = SECTION.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, pages: [] });
    // Before the first section, sentences name pages that stand in one of them too.
    else sections.at(-1)?.pages.push(...linksIn(line));
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

function linksIn(line: string) {
  return [...line.matchAll(LINK)].flatMap(([, title = "", target = ""]) =>
    BROUGHT.test(target) ? [{ path: target.replace(/^guide\//, ""), title }] : [],
  );
}

/** What `/guide` shows: the index, with a line about each page. */
export async function readGuideContents(): Promise<GuidePage> {
  const [start = "", ...sections] = (await readDocument(INDEX)).split(/^## /m);
  const [, ...intro] = start.split("\n");
  const parts = [intro.join("\n"), ...sections.filter((section) => linksIn(section).length > 0)];
  const text = parts.map(asList).join("## ");
  return { file: INDEX, title: "Guide", text: text.trim() };
}

/** A table of pages as a list, which a phone shows without scrolling aside. */
function asList(section: string): string {
  const lines = section.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) return [line];
    const [, pages = "", about = ""] = line.split("|");
    return linksIn(pages).length === 0 ? [] : [`- ${pages.trim()}: ${about.trim()}`];
  });
  return lines.join("\n");
}

/** The page at a path below `/guide/` that the index names; null for any other. */
export async function readGuidePage(wanted: string): Promise<GuidePage | null> {
  const known = (await readGuideIndex()).flatMap(({ pages }) => pages).find((page) => page.path === wanted);
  if (!known) return null;
  const file = `${known.path.startsWith("reference/") ? "" : "guide/"}${known.path}.md`;
  const [heading = "", ...lines] = (await readDocument(file)).split("\n");
  const text = lines.filter((line) => !line.startsWith("![")).join("\n");
  return { file, title: heading.replace(/^# /, ""), text: text.trim() };
}

function readDocument(file: string): Promise<string> {
  return readFile(path.join(process.cwd(), "docs", file), "utf8");
}
