import { z } from "zod";
import { MessageRole } from "@/lib/schema/messages/message";
import { storedText } from "@/lib/schema/plain-text";
import { Estimated, SectionTokens } from "@/lib/schema/runs/section-tokens";
import { RawConfig } from "./agent-api";

/** The files that make up an agent's character and context (S4 §2, D-21), in the order in which they are read. */
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

/** PUT `/api/agents/{id}/prompt-files`: publishes; null removes a file, one that is not named stays. */
export const SavePromptFilesBody = z.strictObject({
  files: z.partialRecord(PromptFileName, storedText(200_000).nullable()),
});
export type SavePromptFilesBody = z.infer<typeof SavePromptFilesBody>;

/** POST `/api/agents/{id}/preview-prompt`. Without a config it is the published one; `message` feeds the recall. */
export const PreviewPromptBody = z.strictObject({
  config: RawConfig.optional(),
  yaml: z.string().max(1_000_000).optional(),
  message: z.string().max(200_000).optional(),
});
export type PreviewPromptBody = z.infer<typeof PreviewPromptBody>;

/**
 * The prompt as a run would send it. `messages` are those of the first request of a new thread, with what hooks added
 * to `message`. `totalTokens` covers the sections and the tool definitions.
 */
export const PromptPreview = z.object({
  mode: z.enum(["plain", "full", "minimal"]),
  sections: z.array(SectionTokens.extend({ text: z.string() })),
  text: z.string(),
  messages: z.array(z.object({ role: MessageRole, content: z.string(), tokens: z.number(), estimated: Estimated })),
  tools: z.array(SectionTokens.extend({ description: z.string() })),
  totalTokens: z.number(),
  estimated: Estimated,
});
export type PromptPreview = z.infer<typeof PromptPreview>;
