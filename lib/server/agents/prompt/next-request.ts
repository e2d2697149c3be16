import "server-only";
import { buildRequest } from "@/lib/agent/build-request";
import { describingContext } from "@/lib/agent/describing-context";
import type { Hook } from "@/lib/agent/hooks/hook";
import { callBeforeAgent, foldRequest } from "@/lib/agent/hooks/hook-chain";
import type { ModelRequest, PromptSection } from "@/lib/agent/model";
import type { RunContext, RunState } from "@/lib/agent/run-context";
import { openSession } from "@/lib/agent/run-session";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import type { Message } from "@/lib/schema/messages/message";
import { ownTools } from "@/lib/server/agents/assemble-agent";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { viewersWorkspace } from "@/lib/server/agents/viewers-workspace";
import { offeredDelegates } from "@/lib/server/engine/children/offered-delegates";
import { projectSections } from "@/lib/server/engine/project-section";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "@/lib/server/providers/first-model";
import { delegationSections } from "./delegation-sections";
import { previewPromptEnvironment } from "./prompt-environment";
import type { DescribeRunParts, NextRun } from "./run-parts";
import { systemPrompt } from "./system-prompt";

/** The agent and user whose next model call it is, and its config. */
export interface NextCall extends NextRun {
  readonly config: AgentConfig;
  /** The `provider:model` picked for this run instead of the agent's own. */
  readonly model?: string | null;
  readonly promptFiles: readonly PromptFile[];
  /** Sections added by the thread, such as its summary. */
  readonly system?: readonly PromptSection[];
  readonly history?: readonly Message[];
  readonly input?: readonly Message[];
  readonly state?: RunState;
  /** For a thread in a project: the project, and who started the thread. */
  readonly place?: { readonly projectId: string | null; readonly ownerId: string };
}

export interface NextRequest {
  readonly request: ModelRequest;
  /** The origin of each section: the hook that added it, or `agent` for the agent's own text. */
  readonly sectionsFrom: ReadonlyMap<string, string>;
  /** What a section names, by its name. */
  readonly itemsOf: ReadonlyMap<string, NonNullable<PromptSection["items"]>>;
  /** The agent's tools before its hooks add theirs. */
  readonly ownTools: ReadonlySet<string>;
}

/**
 * The next request to the model, built by the same hooks as a run's and with the owner's own files. Nothing is stored
 * or asked. Changes made by rings around the model call are not included. Throws `invalid_input` for an invalid config.
 */
export async function nextRequest(
  services: Services,
  next: NextCall,
  describeRunParts: DescribeRunParts,
): Promise<NextRequest> {
  const { agentId, ownerId, threadId, config } = next;
  const prompt = previewPromptEnvironment(services.database, { agentId, ownerId, threadId }, next.promptFiles);
  const { place = { ownerId, projectId: null } } = next;
  const workspace = await viewersWorkspace(services, config, { agentId, threadId, ...place });
  const project = await projectSections(services.database, place.projectId);
  const hooks = standardHooks({ config, workspace, fileHistory: null, verboseTrace: false, prompt });
  const described = describingContext(config, new Map());
  const access = accessOfOwner(ownerId);
  const own = await ownTools(services, config, access);
  const delegation = delegationSections(await offeredDelegates(services.database, config, access), own);
  const parts = await describeRunParts(services, next, config);
  const tools = [...own, ...parts.tools];
  const session = openSession(
    {
      config,
      system: [...systemPrompt(config), ...delegation, ...parts.system, ...project, ...(next.system ?? [])],
      model: { ...described.model, name: next.model ?? (await firstModel(services, config)) },
      tools,
      hooks,
      history: next.history ?? [],
      input: next.input ?? [],
      journal: [],
    },
    {
      ...described,
      agentId,
      userId: ownerId,
      threadId: threadId ?? "preview",
      state: next.state ?? described.state,
    },
  );
  await callBeforeAgent(hooks, session.context);
  const folded = await foldFrom(hooks, buildRequest(session), session.context);
  return { ...folded, ownTools: new Set(tools.map(({ name }) => name)) };
}

/** Applies one hook after the other, as `foldRequest` does, to see which hook added which section, and what it names. */
async function foldFrom(hooks: readonly Hook[], first: ModelRequest, context: RunContext) {
  const sectionsFrom = new Map(first.system.map(({ name }) => [name, name === "project" ? name : "agent"]));
  const itemsOf = new Map<string, NonNullable<PromptSection["items"]>>();
  let request = first;
  for (const hook of hooks) {
    request = await foldRequest([hook], request, context);
    for (const { name, items } of request.system) {
      if (!sectionsFrom.has(name)) sectionsFrom.set(name, hook.name);
      if (items) itemsOf.set(name, items);
    }
  }
  return { request, sectionsFrom, itemsOf };
}
