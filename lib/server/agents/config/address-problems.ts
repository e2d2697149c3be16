import { isHttpAddress } from "@/lib/models/model-spec";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";

/**
 * Model addresses that are not web addresses: saving a config with one is refused. A version from before this check
 * still loads, and its runs fail with a readable error (`readModelSpec`).
 */
export function findAddressProblems({ model, fallback_models: fallbacks }: AgentConfig): FieldProblem[] {
  const named = [["model", model] as const, ...fallbacks.map((spec, at) => [`fallback_models.${at}`, spec] as const)];
  return named.flatMap(([path, spec]) => {
    if (spec === null || typeof spec === "string" || isHttpAddress(spec.base_url ?? "http://unset")) return [];
    return [{ path: `${path}.base_url`, message: "must be an http:// or https:// address" }];
  });
}
