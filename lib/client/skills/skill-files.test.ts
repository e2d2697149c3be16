import { expect, test } from "vitest";
import { groupSkills, type PickedFile, readDropped, toSkillForm } from "./skill-files";

const picked = (path: string): PickedFile => ({ path, file: new File(["x"], path.split("/").at(-1) ?? "") });

test("archives and folders are a skill each, single files are one together", () => {
  const files = ["a.zip", "pdf/SKILL.md", "b.skill", "pdf/x/y", "slides/SKILL.md", "SKILL.md", "z.py"].map(picked);
  expect(groupSkills(files).map((group) => group.map(({ path }) => path))).toEqual([
    ["a.zip"],
    ["pdf/SKILL.md", "pdf/x/y"],
    ["b.skill"],
    ["slides/SKILL.md"],
    ["SKILL.md", "z.py"],
  ]);
});

test("an archive is sent alone, a folder with a path for each file", () => {
  expect([...toSkillForm([picked("a.zip")]).keys()]).toEqual(["file"]);
  const form = toSkillForm([picked("pdf/SKILL.md"), picked("pdf/x/y")]);
  expect(form.getAll("path")).toEqual(["pdf/SKILL.md", "pdf/x/y"]);
  expect(form.getAll("file")).toHaveLength(2);
});

test("a dropped folder comes with all its files, however many parts the browser reads it in", async () => {
  const file = (fullPath: string) => ({
    isDirectory: false,
    fullPath,
    file: (resolve: (file: File) => void) => resolve(new File(["x"], fullPath)),
  });
  const parts = [[file("/pdf/SKILL.md")], [file("/pdf/a"), file("/pdf/b")], []];
  const readEntries = (resolve: (entries: unknown[]) => void) => resolve(parts.shift() ?? []);
  const folder = { isDirectory: true, fullPath: "/pdf", createReader: () => ({ readEntries }) };
  const transfer = { items: [{ webkitGetAsEntry: () => folder }, { webkitGetAsEntry: () => null }] };
  const files = await readDropped(transfer as unknown as DataTransfer);
  expect(files.map(({ path }) => path)).toEqual(["pdf/SKILL.md", "pdf/a", "pdf/b"]);
});
