import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";

/** Config values that need something that does not exist yet. */
export function findUnavailable(config: AgentConfig): FieldProblem[] {
  return VALUE_CHECKS.filter(({ uses }) => uses(config)).map(({ path }) => unavailable(path));
}

/** The names in the config's own tool list, without the denied ones. */
export function namedTools(config: Pick<AgentConfig, "tools">): readonly string[] {
  return Array.isArray(config.tools) ? config.tools : config.tools.allow;
}

const VALUE_CHECKS: readonly { path: string; uses: (config: AgentConfig) => boolean }[] = [
  { path: "gate", uses: ({ gate }) => gate !== null },
  { path: "backend.type", uses: ({ backend }) => backend?.type === "remote" },
  { path: "backend.sandbox", uses: ({ backend }) => ["ssh", "just-bash"].includes(backend?.sandbox ?? "") },
];

function unavailable(path: string): FieldProblem {
  return { path, message: "This setting is not available in this version. Leave it at its default." };
}
