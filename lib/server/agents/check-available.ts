import { isDeepStrictEqual } from "node:util";
import { AgentConfig } from "@/lib/schema/agent-config";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";

/** Sections whose hooks don't exist yet: their defaults do nothing, any other value would pretend. */
const LATER_SECTIONS = ["mcp_servers"] as const satisfies readonly (keyof AgentConfig)[];

/** Built-in names of tools.md that no agent can be given yet. */
export const LATER_TOOLS: readonly string[] = [];

const DEFAULTS = AgentConfig.parse({ name: "defaults" });

/** Values of a config that would need something that does not exist yet. */
export function findUnavailable(config: AgentConfig): FieldProblem[] {
  const sections = LATER_SECTIONS.filter((name) => !isDeepStrictEqual(config[name], DEFAULTS[name])).map((path) =>
    unavailable(path),
  );
  const values = VALUE_CHECKS.filter(({ uses }) => uses(config)).map(({ path }) => unavailable(path));
  const tools = namedTools(config).flatMap((name) => (LATER_TOOLS.includes(name) ? [unavailable("tools", name)] : []));
  return [...sections, ...values, ...tools];
}

/** Throws `not_available` that names the field; nothing pretends to work. */
export function checkAvailable(config: AgentConfig): void {
  const problems = findUnavailable(config);
  const first = problems[0];
  if (first) throw new AppError("not_available", `${first.path}: ${first.message}`, { details: problems });
}

/** The names of the config's own tool list, denied ones left out. */
export function namedTools(config: Pick<AgentConfig, "tools">): readonly string[] {
  return Array.isArray(config.tools) ? config.tools : config.tools.allow;
}

const VALUE_CHECKS: readonly { path: string; uses: (config: AgentConfig) => boolean }[] = [
  { path: "backend.type", uses: ({ backend }) => backend?.type === "docker" || backend?.type === "remote" },
];

function unavailable(path: string, name?: string): FieldProblem {
  const what = name === undefined ? "This setting" : `The tool "${name}"`;
  return { path, message: `${what} is not available in this version. Leave it at its default.` };
}
