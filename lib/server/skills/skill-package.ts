import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { NewSkillName, SKILL_LIMITS } from "@/lib/schema/skills/skill";
import { frontmatterProblem, parseSkillFrontmatter } from "@/lib/skills/skill-frontmatter";
import { checkSkillPaths } from "./skill-paths";

/** An uploaded file; nothing about it has been checked. */
export interface UploadedSkillFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * A skill ready to be installed: its files, sizes, paths and front matter have been checked. Paths are relative to the
 * skill's folder.
 */
export interface SkillPackage {
  readonly name: string;
  readonly description: string;
  readonly files: readonly UploadedSkillFile[];
  readonly sizeBytes: number;
}

/**
 * Checks an uploaded folder and takes its name and description from SKILL.md. An enclosing folder is stripped.
 * `fallbackName` applies if neither SKILL.md nor that folder has a name; `wanted` is the only name the skill may have.
 * Throws `invalid_input` that names the file.
 */
export function checkSkillPackage(
  uploaded: readonly UploadedSkillFile[],
  fallbackName: string | null,
  wanted?: string,
): SkillPackage {
  const files = uploaded.filter(({ path }) => !isLitter(path));
  checkSkillPaths(files.map(({ path }) => path));
  const sizeBytes = checkSizes(files);
  const folder = outerFolder(files);
  const inside = files.map(({ path, bytes }) => ({ path: path.slice(folder.length), bytes }));
  const { name: given, description } = readInstructions(inside);
  const name = checkName(given, folder.slice(0, -1) || fallbackName);
  if (wanted !== undefined && name !== wanted) {
    throw refuseSkill(`SKILL.md: the name ${JSON.stringify(name)} must be ${JSON.stringify(wanted)}, as asked for.`);
  }
  return { name, description, files: inside, sizeBytes };
}

/** The same files have the same hash in any order. Blob hashes by path. */
export function hashSkillFiles(files: readonly { readonly path: string; readonly hash: string }[]): string {
  const sum = createHash("sha256");
  for (const { path, hash } of files.toSorted((left, right) => (left.path < right.path ? -1 : 1))) {
    sum.update(`${hash} ${path}\0`);
  }
  return sum.digest("hex");
}

function refuseSkill(message: string): AppError {
  return new AppError("invalid_input", message);
}

/** Files that operating systems leave in folders and archives. */
function isLitter(path: string): boolean {
  const parts = path.split("/");
  return parts[0] === "__MACOSX" || [".DS_Store", "Thumbs.db", "desktop.ini"].includes(parts.at(-1) ?? "");
}

function checkSizes(files: readonly UploadedSkillFile[]): number {
  if (files.length > SKILL_LIMITS.files) {
    throw refuseSkill(`There are ${files.length} files; a skill may have ${SKILL_LIMITS.files}.`);
  }
  const large = files.find(({ bytes }) => bytes.byteLength > SKILL_LIMITS.fileBytes);
  if (large) throw refuseSkill(`${large.path} is larger than ${megabytes(SKILL_LIMITS.fileBytes)}.`);
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (sizeBytes > SKILL_LIMITS.totalBytes) {
    throw refuseSkill(`The files are larger than ${megabytes(SKILL_LIMITS.totalBytes)} together.`);
  }
  return sizeBytes;
}

/** The folder, with its slash, that contains SKILL.md and everything else; "" if SKILL.md is at the top. */
function outerFolder(files: readonly UploadedSkillFile[]): string {
  if (files.some(({ path }) => path === "SKILL.md")) return "";
  const found = files.filter(({ path }) => path.split("/").at(-1) === "SKILL.md").map(({ path }) => path);
  const shallow = found.filter((path) => path.split("/").length === 2);
  if (found.length > 1 && shallow.length !== 1) {
    const folders = found.slice(0, 5).map((path) => path.slice(0, -"/SKILL.md".length));
    throw refuseSkill(`There are several skills (${folders.join(", ")}): upload the folder of each by itself.`);
  }
  const folder = shallow[0]?.slice(0, -"SKILL.md".length);
  const stray = folder === undefined ? undefined : files.find(({ path }) => !path.startsWith(folder));
  if (stray) throw refuseSkill(`${stray.path} is outside the skill's folder ${folder}: upload only that folder.`);
  if (folder !== undefined) return folder;
  const hint = files.find(({ path }) => /(^|\/)skill\.md$/i.test(path));
  throw refuseSkill(
    hint
      ? `The instructions must be in SKILL.md at the top of the folder; there is only ${hint.path}.`
      : "There is no SKILL.md: a skill is a folder with a SKILL.md at its top.",
  );
}

function readInstructions(files: readonly UploadedSkillFile[]) {
  const bytes = files.find(({ path }) => path === "SKILL.md")?.bytes ?? new Uint8Array();
  if (bytes.byteLength > SKILL_LIMITS.instructionBytes) {
    const most = SKILL_LIMITS.instructionBytes / 2 ** 10;
    throw refuseSkill(`SKILL.md is larger than ${most} KB: move parts of it into files that it names.`);
  }
  const text = decodeInstructions(bytes);
  const frontmatter = parseInstructions(text);
  if (frontmatter === null) {
    throw refuseSkill("SKILL.md has no front matter: begin it with ---, name: …, description: …, ---.");
  }
  const { description } = frontmatter;
  if (description === "") {
    throw refuseSkill("SKILL.md has no description: say in its front matter what the skill is for.");
  }
  if (description.length > SKILL_LIMITS.descriptionChars) {
    const most = SKILL_LIMITS.descriptionChars.toLocaleString("en-US");
    throw refuseSkill(`SKILL.md: the description has ${description.length} characters; it may have ${most}.`);
  }
  const problem = frontmatterProblem(text);
  if (problem !== null) throw refuseSkill(`SKILL.md: the front matter is not valid: ${problem}`);
  return frontmatter;
}

function decodeInstructions(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw refuseSkill("SKILL.md has a NUL character; it must be text.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuseSkill("SKILL.md is not UTF-8 text.");
  }
}

function parseInstructions(text: string) {
  try {
    return parseSkillFrontmatter(text);
  } catch (error) {
    throw refuseSkill(`SKILL.md: the front matter is not valid: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  }
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

function checkName(given: string | undefined, fallback: string | null): string {
  const name = given ?? fallback ?? "";
  const parsed = NewSkillName.safeParse(name);
  if (parsed.success) return parsed.data;
  if (name === "") throw refuseSkill("SKILL.md has no name: give it one in its front matter.");
  const where = given === undefined ? `The folder's name ${JSON.stringify(name)}` : `The name ${JSON.stringify(name)}`;
  const problem = parsed.error.issues[0]?.message ?? "is not valid";
  throw refuseSkill(`SKILL.md: ${where} ${problem}. Write another name: in the front matter.`);
}

function megabytes(bytes: number): string {
  return `${bytes / 2 ** 20} MB`;
}
