import { normalizePath, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { isKnownRule, type RuleSubject } from "@/lib/permissions/permission-rules";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import type { FieldProblem } from "@/lib/schema/app-error";
import { checkWorkdir } from "@/lib/workspaces/local/local-workspace";

/** Paths in a config that no workspace accepts, and globs of permission rules that are not supported. */
export function findPathProblems(config: AgentConfig): FieldProblem[] {
  const { backend, memory, skills, hooks } = config;
  const workdir = backend?.workdir ?? "/workspace";
  const found: (FieldProblem | null)[] = [
    backend?.type === "local" ? problemOf("backend.workdir", () => checkWorkdir(workdir)) : null,
    ...memory.paths.map((path, at) => problemOf(`memory.paths.${at}`, () => checkFile(path, workdir))),
    ...skills.paths.map((path, at) => problemOf(`skills.paths.${at}`, () => normalizePath(path, workdir))),
    ...LISTS.flatMap((list) =>
      config.permissions[list].map((rule, at) => globProblem(rule, `permissions.${list}.${at}`)),
    ),
    ...(hooks ?? []).flatMap((entry, index) => {
      if (typeof entry === "string") return [];
      const check = HOOKS_WITH_PATHS.get(entry.name);
      const paths = Array.isArray(entry.config.paths) ? entry.config.paths : [];
      return paths.map((path, at) =>
        problemOf(`hooks.${index}.config.paths.${at}`, () => check?.(String(path), workdir)),
      );
    }),
  ];
  return found.filter((problem) => problem !== null);
}

const LISTS = ["deny", "ask", "allow"] as const;
const WHOLE_RULE: RuleSubject = {
  aliases: [],
  argumentAliases: { file_path: "path" },
  pathArgument: "path",
  workdir: "/",
};

function globProblem(rule: PermissionRule, path: string): FieldProblem | null {
  if (isKnownRule(rule, WHOLE_RULE)) return null;
  return { path, message: "may use *, **, ?, [a-z], {a,b} and @(a|b), with at most 100 alternatives" };
}

const HOOKS_WITH_PATHS = new Map<string, (path: string, workdir: string) => unknown>([
  ["memory", checkFile],
  ["skills", normalizePath],
]);

function checkFile(path: string, workdir: string): void {
  if (normalizePath(path, workdir) !== "") return;
  throw new WorkspaceError("not_a_file", "It must name a file, not the workspace's own folder.");
}

function problemOf(path: string, check: () => unknown): FieldProblem | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof WorkspaceError) return { path, message: error.message };
    throw error;
  }
}
