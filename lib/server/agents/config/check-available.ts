import { isDeepStrictEqual } from "node:util";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";

/** Sections whose hooks don't exist yet: their defaults do nothing, and any other value would claim an effect. */
const LATER_SECTIONS = ["mcp_servers"] as const satisfies readonly (keyof AgentConfig)[];

const DEFAULTS = AgentConfig.parse({ name: "defaults" });

/** Config values that would need something that does not exist yet; `raw` is the config as it was given. */
export function findUnavailable(config: AgentConfig, raw: RawConfig): FieldProblem[] {
  const sections = LATER_SECTIONS.filter((name) => !isDeepStrictEqual(config[name], DEFAULTS[name])).map(unavailable);
  const values = VALUE_CHECKS.filter(({ uses }) => uses(config, raw)).map(({ path }) => unavailable(path));
  return [...sections, ...values];
}

/** The names in the config's own tool list, without denied ones. */
export function namedTools(config: Pick<AgentConfig, "tools">): readonly string[] {
  return Array.isArray(config.tools) ? config.tools : config.tools.allow;
}

const VALUE_CHECKS: readonly { path: string; uses: (config: AgentConfig, raw: RawConfig) => boolean }[] = [
  { path: "backend.type", uses: ({ backend }) => backend?.type === "remote" },
  // `type: docker` names no sandbox of its own: the documents' sample loads, with a warning.
  { path: "backend.sandbox", uses: ({ backend }, raw) => backend?.sandbox !== "bubblewrap" && namesSandbox(raw) },
];

function namesSandbox({ backend }: RawConfig): boolean {
  return typeof backend === "object" && backend !== null && "sandbox" in backend;
}

function unavailable(path: string): FieldProblem {
  return { path, message: "This setting is not available in this version. Leave it at its default." };
}
