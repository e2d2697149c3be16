import "server-only";
import type { DecisionsReply } from "@/lib/schema/runs/interrupt";
import { canonicalEdit } from "@/lib/server/agents/canonical-edit";
import { type DecisionRequest, decide } from "@/lib/server/engine/asks/decide";
import type { Services } from "@/lib/server/platform/services";

/** `decide` of the engine, with edits checked against the tools of the agent that asks. */
export function decideOnRun(services: Services, request: DecisionRequest): Promise<DecisionsReply> {
  return decide(services.database, request, (run, version, more) => canonicalEdit(services, run, version, more));
}
