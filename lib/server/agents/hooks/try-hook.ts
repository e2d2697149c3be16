import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { TryHookBody, TryHookReply } from "@/lib/schema/agents/try-hook";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { assembleAgent } from "@/lib/server/agents/assemble-agent";
import { readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { draftSource } from "@/lib/server/agents/drafts/agent-draft";
import { previewPromptEnvironment } from "@/lib/server/agents/prompt/prompt-environment";
import { systemPrompt } from "@/lib/server/agents/prompt/system-prompt";
import { viewersWorkspace } from "@/lib/server/agents/viewers-workspace";
import type { Services } from "@/lib/server/platform/services";
import { findHookEntry } from "./standard-hooks";
import { runTrial, sampleOf } from "./trial/run-trial";
import { tryInThread } from "./trial/trial-thread";

const TIME_LIMIT_MS = 5_000;

interface HookTry {
  readonly agentId: string;
  readonly body: TryHookBody;
  readonly limitMs?: number;
}

/**
 * Runs one hook of the agent's draft, or of its published version if there is no draft, on sample messages or a sample
 * call. No other hook, no model and no tool runs and nothing is stored; the hook reads the viewer's own files. A hook
 * that throws, asks the model or takes too long is a finding, not an error. Throws `not_found`, and `invalid_input` for
 * a draft that is not a valid config and for a hook or phase it does not have.
 */
export async function tryHook(
  services: Services,
  { agentId, body, limitMs = TIME_LIMIT_MS }: HookTry,
  viewer: Viewer,
): Promise<TryHookReply> {
  const { yaml, files } = await draftSource(services, agentId);
  const config = requireConfig(readConfigYaml(services, yaml));
  const owner = { agentId, ownerId: viewer.id, threadId: null };
  const prompt = previewPromptEnvironment(services.database, owner, files);
  const workspace = await viewersWorkspace(services, config, owner);
  const options = {
    config,
    workspace: workspace && readOnly(workspace),
    fileHistory: null,
    verboseTrace: false,
    prompt,
  };
  const { definition, settings } = findHookEntry(config, body.hook);
  const hook = definition.create(options, settings);
  if (!hook) throw new AppError("invalid_input", `${body.hook} does nothing with the settings of this draft.`);
  requirePhase(hook, body);
  const facts = { config, system: systemPrompt(config), agentId, viewerId: viewer.id, body, limitMs };
  const { tools } = await assembleAgent(services, config);
  const { after, ...report } = hook.extension
    ? await tryInThread(hook.extension, settings, facts, tools)
    : await runTrial(hook, facts, tools);
  const before = sampleOf(facts, tools);
  return { before, after: after ?? before, ...report };
}

function requirePhase(hook: Hook, { phase }: TryHookBody): void {
  const phases = hookPhases(hook);
  if (phases.includes(phase)) return;
  throw new AppError("invalid_input", `${hook.name} has no ${phase}; it has ${phases.join(", ") || "no phase"}.`);
}

/** The hook reads what a run would read; its writes are refused. */
function readOnly({ makeFolder: _, execute: __, ...workspace }: Workspace): Workspace {
  const refuse = () => Promise.reject(new AppError("not_available", "A try stores nothing: no file is written."));
  return { ...workspace, write: refuse, remove: refuse };
}
