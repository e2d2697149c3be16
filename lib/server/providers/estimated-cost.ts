import "server-only";
import { costUsd } from "@/lib/models/price";
import type { Usage } from "@/lib/schema/runs/usage";
import type { Services } from "@/lib/server/platform/services";
import { modelRegistry } from "./models";

/** What the model would have cost for the same tokens; null if its price is unknown. */
export function estimatedCost(services: Services, model: string, usage: Usage): number | null {
  return costUsd(model, usage, modelRegistry(services).factsOf(model));
}
