import { isHttpAddress } from "@/lib/models/model-spec";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import type { Services } from "@/lib/server/platform/services";
import { modelRegistry } from "@/lib/server/providers/models";

/**
 * Model addresses that are not web addresses, and names of keys that do not exist here or belong to another address:
 * saving a config with one is refused. A version from before this check, or from before its key was removed, still
 * loads, and its runs fail with a readable error (`readModelSpec`).
 */
export function findModelProblems(
  services: Services,
  { model, fallback_models: fallbacks }: AgentConfig,
): FieldProblem[] {
  const named = [["model", model] as const, ...fallbacks.map((spec, at) => [`fallback_models.${at}`, spec] as const)];
  return named.flatMap(([path, spec]) => {
    if (spec === null || typeof spec === "string") return [];
    if (!isHttpAddress(spec.base_url ?? "http://unset")) {
      return [{ path: `${path}.base_url`, message: "must be an http:// or https:// address" }];
    }
    const message = modelRegistry(services).keyProblemOf(spec);
    return message === null ? [] : [{ path: `${path}.api_key_ref`, message }];
  });
}
