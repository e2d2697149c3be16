import type { CommandResult, GrepMatch, GrepQuery } from "@/lib/agent/workspace/workspace";
import { WORKSPACE_LIMITS } from "@/lib/workspaces/limits";
import { cutLine } from "@/lib/workspaces/line-search";
import { comparePaths, isUsableName, joinPath, SKIPPED_FOLDER_GLOBS } from "@/lib/workspaces/paths";
import type { Found } from "./local-search";

/** The command line that finds the same files as the walk of local-search. */
export function ripgrepCommand(query: GrepQuery, glob: string | null): string[] {
  const { walkDepth, fileBytes } = WORKSPACE_LIMITS;
  const globs = [...(glob === null ? [] : [glob]), ...SKIPPED_FOLDER_GLOBS];
  return [
    ...["rg", "--no-config", "--no-messages", "--color=never", "--no-heading", "--with-filename", "--line-number"],
    ...["--null", "--no-ignore", "--hidden", "--crlf", "--encoding=none", "--sort=path"],
    ...[`--max-depth=${walkDepth}`, `--max-filesize=${fileBytes}`, `--max-count=${query.limit + 1}`],
    query.caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...globs.flatMap((pattern) => ["--glob", pattern]),
    ...["--regexp", query.pattern, "--", "./"],
  ];
}

/** Null if ripgrep refused the pattern or did not finish. */
export function readRipgrep(result: CommandResult, base: string): Found<GrepMatch> | null {
  const wasCut = result.truncated || result.stopped === "output limit";
  if (result.stopped !== undefined && !wasCut) return null;
  if (!wasCut && result.exitCode !== 0 && result.exitCode !== 1) return null;
  const items = result.output.split("\n").flatMap((line) => readLine(line, base));
  return { items: items.sort(byPlace), truncated: wasCut };
}

/** `./path NUL number : text`; other lines are ripgrep's messages. */
function readLine(line: string, base: string): GrepMatch[] {
  const [, path, number, text] = /^\.\/([^\0]+)\0(\d+):(.*)$/s.exec(line) ?? [];
  if (path === undefined || number === undefined || text === undefined || !isUsableName(path)) return [];
  return [{ file: joinPath(base, path), line: Number(number), text: cutLine(text.replace(/\r$/, "")) }];
}

function byPlace(left: GrepMatch, right: GrepMatch): number {
  return comparePaths(left.file, right.file) || left.line - right.line;
}
