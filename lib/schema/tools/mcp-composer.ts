import { z } from "zod";

/** A server that could not be asked, with what to know about it. */
const ServerAway = z.object({ serverId: z.string(), message: z.string() });

const McpPrompt = z.object({
  serverId: z.string(),
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
});
export type McpPrompt = z.infer<typeof McpPrompt>;

/** GET `/api/agents/{id}/mcp-prompts`: what the agent's servers offer as slash commands. */
export const McpPromptList = z.object({ prompts: z.array(McpPrompt), away: z.array(ServerAway) });
export type McpPromptList = z.infer<typeof McpPromptList>;

/** POST to the same address: one prompt, expanded. */
export const McpPromptBody = z.strictObject({
  serverId: z.string().min(1).max(40),
  name: z.string().min(1).max(500),
  arguments: z.record(z.string().max(200), z.string().max(20_000)).default({}),
});
export type McpPromptBody = z.input<typeof McpPromptBody>;

const McpResource = z.object({
  serverId: z.string(),
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  mediaType: z.string().nullable(),
});
export type McpResource = z.infer<typeof McpResource>;

/** Resources with placeholders in their address, which a person fills in. */
const McpTemplate = z.object({
  serverId: z.string(),
  uriTemplate: z.string(),
  name: z.string(),
  description: z.string(),
  /** Names of the placeholders. */
  arguments: z.array(z.string()),
});
export type McpTemplate = z.infer<typeof McpTemplate>;

/** GET `/api/agents/{id}/mcp-resources`: what a message can include after an `@`. */
export const McpResourceList = z.object({
  resources: z.array(McpResource),
  templates: z.array(McpTemplate),
  away: z.array(ServerAway),
});
export type McpResourceList = z.infer<typeof McpResourceList>;

/** POST to the same address: reads one resource. */
export const McpResourceBody = z
  .strictObject({
    serverId: z.string().min(1).max(40),
    uri: z.string().min(1).max(2_000).optional(),
    /** One of the `templates`, with the text for each of its placeholders. */
    uriTemplate: z.string().min(1).max(2_000).optional(),
    arguments: z.record(z.string().max(200), z.string().max(2_000)).default({}),
  })
  .refine(({ uri, uriTemplate }) => (uri === undefined) !== (uriTemplate === undefined), {
    path: ["uri"],
    message: "send either uri or uriTemplate",
  });
export type McpResourceBody = z.input<typeof McpResourceBody>;
/** The same with defaults filled in. */
export type McpResourceRequest = z.output<typeof McpResourceBody>;

/** For the composer; nothing is sent until the person sends it. */
export const McpText = z.object({ text: z.string() });
