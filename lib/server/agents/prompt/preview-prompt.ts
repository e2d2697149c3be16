import "server-only";
import { buildRequest } from "@/lib/agent/build-request";
import { callBeforeAgent, foldRequest } from "@/lib/agent/hooks/hook-chain";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import type { ModelRequest } from "@/lib/agent/model";
import { openSession } from "@/lib/agent/run-session";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PreviewPromptBody, PromptPreview } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { describingContext, ownTools } from "@/lib/server/agents/assemble-agent";
import { readConfigObject, readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { firstModel } from "@/lib/server/agents/describe-agent";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { viewersWorkspace } from "@/lib/server/agents/viewers-workspace";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { database } from "@/lib/server/platform/db/database";
import { previewPromptEnvironment } from "./prompt-environment";
import { systemPrompt } from "./system-prompt";

/**
 * The system prompt, messages and tools of the viewer's next run, built by the same hooks as a run's and with the viewer's own
 * files. Nothing is stored or asked. Throws `not_found`, `invalid_input` for a wrong config.
 */
export async function previewPrompt(agentId: string, body: PreviewPromptBody, viewer: Viewer): Promise<PromptPreview> {
  const version = await loadCurrentVersion(database(), agentId);
  const config = configOf(body) ?? version.config;
  const prompt = previewPromptEnvironment(database(), { agentId, ownerId: viewer.id }, version.promptFiles);
  const workspace = await viewersWorkspace(agentId, config, viewer.id);
  const hooks = standardHooks({ config, workspace, fileHistory: null, verboseTrace: false, prompt });
  const described = describingContext(config, new Map());
  const session = openSession(
    {
      config,
      system: systemPrompt(config),
      model: { ...described.model, name: await firstModel(config) },
      tools: await ownTools(config),
      hooks,
      history: [],
      input: body.message ? [{ role: "user", content: body.message }] : [],
      journal: [],
    },
    { ...described, agentId, userId: viewer.id, threadId: "preview" },
  );
  await callBeforeAgent(hooks, session.context);
  return toPreview(await foldRequest(hooks, buildRequest(session), session.context), config);
}

function configOf({ config, yaml }: PreviewPromptBody): AgentConfig | null {
  if (config === undefined && yaml === undefined) return null;
  return requireConfig(yaml === undefined ? readConfigObject(config ?? {}) : readConfigYaml(yaml));
}

function toPreview({ system, messages, tools }: ModelRequest, config: AgentConfig): PromptPreview {
  const { chars_per_token: charsPerToken } = config;
  const estimate = (text: string) => ({ tokens: tokensOf(text, charsPerToken), estimated: true as const });
  const sections = system.map(({ name, text }) => ({ name, text, ...estimate(text) }));
  const sent = messages.map(({ role, content }) => ({ role, content, ...estimate(content) }));
  const described = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    ...estimate(JSON.stringify(tool)),
  }));
  return {
    mode: config.prompt.mode,
    sections,
    text: sections.map(({ text }) => text).join("\n\n"),
    messages: sent,
    tools: described,
    totalTokens: [...sections, ...described].reduce((sum, { tokens }) => sum + tokens, 0),
    estimated: true,
  };
}
