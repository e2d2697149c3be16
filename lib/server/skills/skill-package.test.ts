import { expect, test } from "vitest";
import { SKILL_LIMITS } from "@/lib/schema/skills/skill";
import { checkSkillPackage } from "./skill-package";

const SKILL = "---\nname: pdf\ndescription: Fill in forms\n---\n# How";
const bytes = (text: string) => new TextEncoder().encode(text);

function check(files: Record<string, string | Uint8Array>, fallback: string | null = null) {
  const uploaded = Object.entries(files).map(([path, content]) => {
    return { path, bytes: typeof content === "string" ? bytes(content) : content };
  });
  return checkSkillPackage(uploaded, fallback);
}

const withFile = (path: string) => ({ "SKILL.md": SKILL, [path]: "x" });
const described = (frontmatter: string) => ({ "SKILL.md": `---\n${frontmatter}\n---\n` });

test("name and description come from the front matter, the description as one line", () => {
  const skill = check({ "SKILL.md": "---\nname: pdf\ndescription: |\n  Fill in\n  forms\n---\n", "a/b.py": "x" });
  expect(skill).toMatchObject({ name: "pdf", description: "Fill in forms", sizeBytes: 52 });
  expect(skill.files.map(({ path }) => path)).toEqual(["SKILL.md", "a/b.py"]);
});

test("dashes at the end of a line do not end the front matter", () => {
  const skill = check({ "SKILL.md": "---\r\nname: pdf\r\n# ---\r\ndescription: Fill in ---\r\n---\r\n# How" });
  expect(skill).toMatchObject({ name: "pdf", description: "Fill in ---" });
  expect(() => check({ "SKILL.md": "---\n---\n" })).toThrow("SKILL.md has no description");
});

test("strips a folder around everything, and the files that systems leave in archives", () => {
  const skill = check({ "pdf/SKILL.md": SKILL, "pdf/x/.DS_Store": "", "__MACOSX/pdf/._SKILL.md": "", "pdf/x/y": "" });
  expect(skill.files.map(({ path }) => path)).toEqual(["SKILL.md", "x/y"]);
});

test("without a name the folder's is used, then the archive's", () => {
  const unnamed = "---\ndescription: Anything\n---\n";
  expect(check({ "my-skill/SKILL.md": unnamed }, "archive").name).toBe("my-skill");
  expect(check({ "SKILL.md": unnamed }, "archive").name).toBe("archive");
  expect(() => check({ "SKILL.md": unnamed })).toThrow("SKILL.md has no name");
  expect(() => check({ "My Skill/SKILL.md": unnamed })).toThrow(`The folder's name "My Skill" must have 1 to 64`);
});

test.each(["a", "9-a", "to-the-point", "x".repeat(64)])("the name %s is accepted", (name) => {
  expect(check(described(`name: ${name}\ndescription: d`)).name).toBe(name);
});

test.each(["A", "a_b", "a b", "ä", "a/b", "..", "x".repeat(65)])("the name %s is refused", (name) => {
  expect(() => check(described(`name: "${name}"\ndescription: d`))).toThrow("must have 1 to 64 of the characters");
});

test.each(["-a", "a-", "a--b", "-"])("the name %s is refused, as the Agent Skills format has it", (name) => {
  const words = "must neither begin nor end with a hyphen, nor have two in a row";
  expect(() => check(described(`name: "${name}"\ndescription: d`))).toThrow(words);
});

test("a description of 1,024 characters is accepted; one more, or none, is refused", () => {
  expect(check(described(`name: a\ndescription: ${"d".repeat(1_024)}`)).description).toHaveLength(1_024);
  expect(() => check(described(`name: a\ndescription: ${"d".repeat(1_025)}`))).toThrow("has 1025 characters");
  expect(() => check(described("name: a"))).toThrow("SKILL.md has no description");
});

test.each([
  ["name: [a", "the front matter is not valid"],
  ["name: 5\ndescription: d", "name: Invalid input: expected string"],
  ["a: &a [1]\nname: b\ndescription: d\nx: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]", "too many aliases"],
])("the front matter %j is refused with its reason", (frontmatter, reason) => {
  expect(() => check(described(frontmatter))).toThrow(reason);
});

test.each([
  ["../x", 'has a "." or ".."'],
  ["a/../../x", 'has a "." or ".."'],
  ["/etc/passwd", "is absolute"],
  ["C:/x", "is absolute"],
  ["a\\..\\x", "has a backslash"],
  ["a\0b", "has a NUL"],
  ["a\u001bb", "control character"],
  ["a//b", "has an empty name"],
  ["a/./b", 'has a "."'],
  ["", "is empty"],
  ["x".repeat(256), "longer than 255 bytes"],
  ["ä".repeat(128), "longer than 255 bytes"],
  [`${"a/".repeat(16)}b`, "deeper than 16 folders"],
  [`${"x/".repeat(150)}b`, "longer than 300 characters"],
  ["\ud800", "control character"],
])("the path %j is refused", (path, reason) => {
  expect(() => check(withFile(path))).toThrow(reason);
});

test("a path that appears twice is refused, also in another spelling of the same letters", () => {
  const file = { path: "SKILL.md", bytes: bytes(SKILL) };
  expect(() => checkSkillPackage([file, file], null)).toThrow("SKILL.md appears twice");
  expect(() => check({ ...withFile("\u00e4"), "a\u0308": "" })).toThrow("appears twice");
  expect(() => check({ ...withFile("docs/A.md"), "docs/a.md": "" })).toThrow("differ only in upper and lower case");
});

test("a path that is a file and a folder is refused", () => {
  expect(() => check({ ...withFile("a"), "a/b": "" })).toThrow("a is both a file and a folder");
});

test("without SKILL.md the message says what a skill is", () => {
  expect(() => check({ "readme.md": "" })).toThrow("a skill is a folder with a SKILL.md at its top");
  expect(() => check({ "skill.md": SKILL })).toThrow("there is only skill.md");
  expect(() => check({ "SKILL.md": "# no front matter" })).toThrow("SKILL.md has no front matter");
});

test("several skills at once and files outside the folder are refused", () => {
  expect(() => check({ "a/SKILL.md": SKILL, "b/SKILL.md": SKILL })).toThrow("several skills (a, b)");
  expect(() => check({ "a/SKILL.md": SKILL, "b.txt": "" })).toThrow("b.txt is outside the skill's folder a/");
});

test("SKILL.md must be text", () => {
  expect(() => check({ "SKILL.md": `${SKILL}\0` })).toThrow("SKILL.md has a NUL character");
  expect(() => check({ "SKILL.md": new Uint8Array([0xff, 0xfe]) })).toThrow("not UTF-8 text");
});

test("each limit applies: one file more or one byte more is refused", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ""]));
  expect(check({ "SKILL.md": SKILL, ...many(SKILL_LIMITS.files - 1) }).files).toHaveLength(SKILL_LIMITS.files);
  expect(() => check({ "SKILL.md": SKILL, ...many(SKILL_LIMITS.files) })).toThrow("There are 501 files");
  const large = (bytes: number) => ({ "SKILL.md": SKILL, big: new Uint8Array(bytes) });
  expect(check(large(SKILL_LIMITS.fileBytes)).files).toHaveLength(2);
  expect(() => check(large(SKILL_LIMITS.fileBytes + 1))).toThrow("big is larger than 10 MB");
  const half = new Uint8Array(SKILL_LIMITS.totalBytes / 3);
  expect(() => check({ "SKILL.md": SKILL, a: half, b: half, c: half })).toThrow("larger than 25 MB together");
  const long = `${SKILL}${"x".repeat(SKILL_LIMITS.instructionBytes)}`;
  expect(() => check({ "SKILL.md": long })).toThrow("SKILL.md is larger than 256 KB");
});
