import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { anchorOf, guideHref } from "@/lib/client/guide/guide-links";
import { findRetiredTerms } from "@/lib/testing/terms/retired-terms";
import { readGuideContents, readGuideIndex, readGuidePage } from "./guide";

const pages = (await readGuideIndex()).flatMap((section) => section.pages);

test("the guide has every page of docs/guide and docs/reference, each once, with its title", async () => {
  const files = globSync(["guide/**/*.md", "reference/*.md"], { cwd: "docs" });
  const read = await Promise.all(pages.map(({ path }) => readGuidePage(path)));
  expect(read.map((page) => page?.file).toSorted()).toEqual(files.toSorted());
  for (const page of read) {
    expect(page?.title).toMatch(/^[A-Z]/);
    expect(page?.text.length).toBeGreaterThan(200);
  }
});

test("the contents lead to every page of the guide, and to nothing that an installation does not bring", async () => {
  const { file, text } = await readGuideContents();
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => guideHref(file, target));
  expect(new Set(targets)).toEqual(new Set(pages.map(({ path }) => `/guide/${path}`)));
  expect(text).not.toMatch(/^# |^\|/m);
  expect(text).toContain("- [Settings](guide/settings.md): what can change while it runs");
});

test.each(["", "nothing", "../README", "../../package.json", "reference/../guide/tools", "design/runs"])(
  "there is no page %j",
  async (path) => expect(await readGuidePage(path)).toBeNull(),
);

test("no page says a word that was given up", async () => {
  for (const { path, title } of pages) {
    const page = await readGuidePage(path);
    // Code shows what programs write.
    const prose = page?.text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "") ?? "";
    expect([title, page?.title ?? "", prose].flatMap(findRetiredTerms), path).toEqual([]);
  }
});

test.each(pages.map(({ path }) => path))("the links of %s that stay in the guide lead to a heading", async (path) => {
  const page = await readGuidePage(path);
  for (const [, target = ""] of page?.text.matchAll(/\]\(([^)\s]+)\)/g) ?? []) {
    const [to = "", anchor] = guideHref(page?.file ?? "", target)?.split("#") ?? [];
    if (to === "" || to === "/guide") continue;
    const other = await readGuidePage(to.replace("/guide/", ""));
    expect(other, target).not.toBeNull();
    const headings = [...(other?.text.matchAll(/^#+ (.+)$/gm) ?? [])].map(([, heading = ""]) => anchorOf(heading));
    if (anchor !== undefined) expect(headings).toContain(anchor);
  }
});
