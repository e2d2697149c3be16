import type { RawConfig } from "@/lib/schema/agents/agent-api";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";

/** Config values that need something that does not exist yet; `raw` is the config as submitted. */
export function findUnavailable(config: AgentConfig, raw: RawConfig): FieldProblem[] {
  return VALUE_CHECKS.filter(({ uses }) => uses(config, raw)).map(({ path }) => unavailable(path));
}

/** The names in the config's own tool list, without the denied ones. */
export function namedTools(config: Pick<AgentConfig, "tools">): readonly string[] {
  return Array.isArray(config.tools) ? config.tools : config.tools.allow;
}

const VALUE_CHECKS: readonly { path: string; uses: (config: AgentConfig, raw: RawConfig) => boolean }[] = [
  { path: "gate", uses: ({ gate }) => gate !== null },
  { path: "backend.type", uses: ({ backend }) => backend?.type === "remote" },
  // `type: docker` doesn't set a sandbox itself: the sample in the documents loads, with a warning.
  { path: "backend.sandbox", uses: ({ backend }, raw) => backend?.sandbox !== "bubblewrap" && namesSandbox(raw) },
];

function namesSandbox({ backend }: RawConfig): boolean {
  return typeof backend === "object" && backend !== null && "sandbox" in backend;
}

function unavailable(path: string): FieldProblem {
  return { path, message: "This setting is not available in this version. Leave it at its default." };
}
