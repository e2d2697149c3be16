import { AppError } from "@/lib/schema/app-error";
import { SKILL_LIMITS } from "@/lib/schema/skills/skill";
import { parentPaths } from "@/lib/workspaces/paths";

/** Throws `invalid_input` for a path that could lead outside the skill's folder or is ambiguous. */
export function checkSkillPaths(paths: readonly string[]): void {
  const seen = new Set<string>();
  const spellings = new Map<string, string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== null) throw new AppError("invalid_input", `The path ${JSON.stringify(path)} ${problem}.`);
    const name = path.normalize("NFC");
    if (seen.has(name)) throw new AppError("invalid_input", `${path} appears twice.`);
    seen.add(name);
    const same = spellings.get(name.toLowerCase());
    if (same !== undefined) {
      const advice = "Not every file system holds both: rename one.";
      throw new AppError("invalid_input", `${path} and ${same} differ only in upper and lower case. ${advice}`);
    }
    spellings.set(name.toLowerCase(), path);
  }
  for (const path of seen) {
    const folder = parentPaths(path).find((name) => seen.has(name));
    if (folder !== undefined) throw new AppError("invalid_input", `${folder} is both a file and a folder.`);
  }
}

function pathProblem(path: string): string | null {
  if (path === "") return "is empty";
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return "has a NUL or another control character";
  if (path.length > SKILL_LIMITS.pathChars) return `is longer than ${SKILL_LIMITS.pathChars} characters`;
  if (path.includes("\\")) return "has a backslash; separate folders with /";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute; it must be relative to the skill's folder";
  return partsProblem(path.split("/"));
}

function partsProblem(parts: readonly string[]): string | null {
  if (parts.includes("..") || parts.includes(".")) return 'has a "." or ".."; it must stay in the skill\'s folder';
  if (parts.includes("")) return "has an empty name";
  if (parts.length > SKILL_LIMITS.depth) return `is deeper than ${SKILL_LIMITS.depth} folders`;
  if (parts.some((part) => Buffer.byteLength(part) > 255)) return "has a name longer than 255 bytes";
  return null;
}
