import "server-only";
import { callBeforeAgent, foldRequest } from "@/lib/agent/hooks/hook-chain";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import { createToolbox } from "@/lib/agent/tools/toolbox";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PreviewPromptBody, PromptPreview } from "@/lib/schema/agents/prompt";
import type { Message } from "@/lib/schema/messages/message";
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
 * The system prompt and tools of the viewer's next run, built by the same hooks as a run's and with the viewer's own
 * files. Nothing is stored or asked. Throws `not_found`, `invalid_input` for a wrong config.
 */
export async function previewPrompt(agentId: string, body: PreviewPromptBody, viewer: Viewer): Promise<PromptPreview> {
  const version = await loadCurrentVersion(database(), agentId);
  const config = configOf(body) ?? version.config;
  const prompt = previewPromptEnvironment(database(), { agentId, ownerId: viewer.id }, version.promptFiles);
  const workspace = await viewersWorkspace(agentId, config, viewer.id);
  const hooks = standardHooks({ config, workspace, fileHistory: null, verboseTrace: false, prompt });
  const toolbox = createToolbox(await ownTools(config));
  const messages: Message[] = [{ role: "user", content: body.message ?? "" }];
  const described = describingContext(config, new Map());
  const context: RunContext = {
    ...described,
    agentId,
    userId: viewer.id,
    threadId: "preview",
    system: systemPrompt(config),
    messages,
    model: { ...described.model, name: await firstModel(config) },
    registerTool: (tool) => toolbox.register(tool),
    findTool: (name) => toolbox.find(name),
  };
  await callBeforeAgent(hooks, context);
  const { max_tokens: maxTokens, temperature } = config;
  const request = { system: context.system, messages, tools: toolbox.schemas(), maxTokens, temperature };
  return toPreview(await foldRequest(hooks, request, context), config);
}

function configOf({ config, yaml }: PreviewPromptBody): AgentConfig | null {
  if (config === undefined && yaml === undefined) return null;
  return requireConfig(yaml === undefined ? readConfigObject(config ?? {}) : readConfigYaml(yaml));
}

function toPreview({ system, tools }: ModelRequest, config: AgentConfig): PromptPreview {
  const { chars_per_token: charsPerToken } = config;
  const sections = system.map(({ name, text }) => ({ name, text, tokens: tokensOf(text, charsPerToken) }));
  const described = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    tokens: tokensOf(JSON.stringify(tool), charsPerToken),
  }));
  return {
    mode: config.prompt.mode,
    sections,
    text: sections.map(({ text }) => text).join("\n\n"),
    tools: described,
    totalTokens: [...sections, ...described].reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
