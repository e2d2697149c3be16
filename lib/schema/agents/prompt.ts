import { z } from "zod";
import { MessageRole } from "@/lib/schema/messages/message";
import { storedText } from "@/lib/schema/plain-text";
import { Estimated, SectionTokens } from "@/lib/schema/runs/section-tokens";
import { RawConfig } from "./agent-api";
import { VersionName } from "./agent-version";
import { WindowSource } from "./context-rule";

/** The files that make up an agent's character and context (S4 §2, D-21), in reading order. */
export const PROMPT_FILE_NAMES = [
  "IDENTITY.md",
  "SOUL.md",
  "USER.md",
  "AGENTS.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
] as const;
export const PromptFileName = z.enum(PROMPT_FILE_NAMES);
export type PromptFileName = z.infer<typeof PromptFileName>;

export const PromptFile = z.object({ name: PromptFileName, content: z.string() });
export type PromptFile = z.infer<typeof PromptFile>;

/** GET `/api/agents/{id}/prompt-files`: those of the published version, with its number. */
export const PromptFileList = z.object({ version: z.number(), files: z.array(PromptFile) });
export type PromptFileList = z.infer<typeof PromptFileList>;

/** PUT `/api/agents/{id}/prompt-files`: publishes; null removes a file, an unnamed one stays. */
export const SavePromptFilesBody = z.strictObject({
  files: z.partialRecord(PromptFileName, storedText(200_000).nullable()),
});
export type SavePromptFilesBody = z.infer<typeof SavePromptFilesBody>;

const PromptMode = z.enum(["plain", "full", "minimal"]);

/**
 * The config to preview: one that is sent, as an object or as text, or a version by number, alias or `draft`. By
 * default the published one.
 */
export const PreviewBody = z.strictObject({
  config: RawConfig.optional(),
  yaml: z.string().max(1_000_000).optional(),
  version: VersionName.optional(),
});
export type PreviewBody = z.infer<typeof PreviewBody>;

/** POST `/api/agents/{id}/preview-prompt`. `message` is what recall searches for; `mode` replaces the config's own. */
export const PreviewPromptBody = PreviewBody.extend({
  message: z.string().max(200_000).optional(),
  mode: PromptMode.optional(),
});
export type PreviewPromptBody = z.infer<typeof PreviewPromptBody>;

/**
 * The prompt as a run would send it. `messages` are those of the first request of a new thread, with what hooks added
 * to `message`. `totalTokens` covers the sections and the tool definitions. `from` of a section is the hook that added
 * it, or `agent` for the agent's own text; `from` of a tool says whether the agent lists it, a hook adds it or an MCP
 * server offers it.
 */
export const PromptPreview = z.object({
  mode: PromptMode,
  sections: z.array(SectionTokens.extend({ text: z.string(), from: z.string() })),
  text: z.string(),
  messages: z.array(z.object({ role: MessageRole, content: z.string(), tokens: z.number(), estimated: Estimated })),
  tools: z.array(
    SectionTokens.extend({
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      from: z.enum(["agent", "hook", "mcp"]),
    }),
  ),
  totalTokens: z.number(),
  window: z.number(),
  windowFrom: WindowSource,
  estimated: Estimated,
});
export type PromptPreview = z.infer<typeof PromptPreview>;
