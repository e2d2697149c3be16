import { z } from "zod";
import { plainText, storedText } from "@/lib/schema/plain-text";

/** The chat's own commands, which a saved prompt must not shadow. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(["stop", "stopall", "compact", "new", "prompts"]);

/** The name typed after a slash. */
const PromptName = z
  .string()
  .trim()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase letters and digits, with hyphens between them")
  .refine((name) => !TAKEN_NAMES.has(name), "is a command of the chat");

export const MAX_PROMPT_CHARS = 20_000;

/**
 * A text for the composer; the person is asked for each `{{name}}` in it, and for each `{{name=text}}` with that text
 * as the default.
 */
export const SavedPrompt = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  text: z.string(),
  /** For everybody; only administrators write these. */
  shared: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SavedPrompt = z.infer<typeof SavedPrompt>;

export const SavedPromptList = z.object({ prompts: z.array(SavedPrompt) });
export type SavedPromptList = z.infer<typeof SavedPromptList>;

const Text = storedText(MAX_PROMPT_CHARS).min(1);

export const CreatePromptBody = z.strictObject({
  name: PromptName,
  description: plainText(200).or(z.literal("")).default(""),
  text: Text,
  shared: z.boolean().default(false),
});
export type CreatePromptBody = z.infer<typeof CreatePromptBody>;

export const UpdatePromptBody = z.strictObject({
  name: PromptName.optional(),
  description: plainText(200).or(z.literal("")).optional(),
  text: Text.optional(),
  shared: z.boolean().optional(),
});
export type UpdatePromptBody = z.infer<typeof UpdatePromptBody>;
