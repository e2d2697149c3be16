import type { PromptSection } from "@/lib/agent/model";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Services } from "@/lib/server/platform/services";

/** What a run has besides its agent's own: tools that act for its owner, and what its place adds to the prompt. */
export interface RunParts {
  readonly tools: readonly Tool[];
  readonly system: readonly PromptSection[];
}

/** The run that a person's next message would start, in a thread or, with null, in a new one; or the current run. */
export interface NextRun {
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string | null;
  readonly boardId?: string | null;
  readonly current?: ClaimedRun | null;
}

/** The parts that the run will have; they are described, never called. */
export type DescribeRunParts = (services: Services, next: NextRun, config: AgentConfig) => Promise<RunParts>;
