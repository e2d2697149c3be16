import "server-only";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import type { PreviewPromptBody, PromptPreview } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { runWindow } from "@/lib/server/providers/run-window";
import { nextRequest } from "./next-request";
import { previewedConfig } from "./previewed-config";
import type { DescribeRunParts } from "./run-parts";

interface AskedPreview {
  readonly agentId: string;
  readonly body: PreviewPromptBody;
}

/**
 * The system prompt, messages and tools of the viewer's next run, built by the same hooks as a run's and with the
 * viewer's own files. Nothing is stored or asked. Throws `not_found`, `invalid_input` for an invalid config.
 */
export async function previewPrompt(
  services: Services,
  { agentId, body }: AskedPreview,
  viewer: Viewer,
  describeRunParts: DescribeRunParts,
): Promise<PromptPreview> {
  const { message, mode, ...previewed } = body;
  const { config: own, promptFiles } = await previewedConfig(services, agentId, previewed, viewer);
  const config = mode === undefined ? own : { ...own, prompt: { ...own.prompt, mode } };
  const { request, sectionsFrom, ownTools } = await nextRequest(
    services,
    {
      agentId,
      ownerId: viewer.id,
      threadId: null,
      config,
      promptFiles,
      input: message ? [{ role: "user", content: message }] : [],
    },
    describeRunParts,
  );
  const estimate = (text: string) => ({
    tokens: tokensOf(text, config.chars_per_token),
    estimated: true as const,
  });
  const sections = request.system.map(({ name, text }) => ({
    name,
    text,
    ...estimate(text),
    from: sectionsFrom.get(name) ?? "agent",
  }));
  const tools = request.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    ...estimate(JSON.stringify(tool)),
    from: originOf(tool.name, ownTools),
  }));
  return {
    mode: config.prompt.mode,
    sections,
    text: sections.map(({ text }) => text).join("\n\n"),
    messages: request.messages.map(({ role, content }) => ({ role, content, ...estimate(content) })),
    tools,
    totalTokens: [...sections, ...tools].reduce((sum, { tokens }) => sum + tokens, 0),
    ...(await runWindow(services, config)),
    estimated: true,
  };
}

function originOf(tool: string, ownTools: ReadonlySet<string>): PromptPreview["tools"][number]["from"] {
  if (tool.startsWith("mcp__")) return "mcp";
  return ownTools.has(tool) ? "agent" : "hook";
}
