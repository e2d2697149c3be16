import { z } from "zod";

const RESERVED = ["draft", "current", "latest", "live"];

/** A name for a version, such as `prod`: never a number, so that the two can't be mistaken for each other. */
export const AliasName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, "must be 1 to 40 small letters, digits, - and _, and begin with a letter")
  .refine((name) => !RESERVED.includes(name), "is a reserved name");

/** A version in a query: its number or an alias. */
export const VersionName = z.string().min(1).max(40);

/** Which version of the agent; without it the published one. */
export const VersionQuery = z.object({ version: VersionName.optional() });

/** PUT `/api/agents/{id}/aliases/{name}`. */
export const SaveAliasBody = z.strictObject({ version: z.number().int().min(1).max(1_000_000_000) });

export const AgentAlias = z.object({
  name: z.string(),
  version: z.number(),
  updatedAt: z.string(),
  updatedByName: z.string().nullable(),
});
export type AgentAlias = z.infer<typeof AgentAlias>;
export const AgentAliasList = z.object({ aliases: z.array(AgentAlias) });

/** Each of both sides: a number, an alias, `current` or `draft`. */
export const CompareQuery = z.strictObject({ from: VersionName, to: VersionName });
export type CompareQuery = z.infer<typeof CompareQuery>;

/** A field that differs. A side that does not have it leaves it out; lists are compared as a whole. */
const ConfigChange = z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() });
export type ConfigChange = z.infer<typeof ConfigChange>;

/** A piece of both system prompts together, in order. */
const PromptPart = z.object({ text: z.string(), change: z.enum(["same", "added", "removed"]) });
export type PromptPart = z.infer<typeof PromptPart>;

export const VersionComparison = z.object({
  changes: z.array(ConfigChange),
  /** Word by word; empty where the prompts are the same. */
  promptDiff: z.array(PromptPart),
});
export type VersionComparison = z.infer<typeof VersionComparison>;

/** POST `/api/agents/{id}/versions/{number}/restore`: `revision` is that of the draft which it replaces. */
export const RestoreVersionBody = z.strictObject({ revision: z.number().int().min(0) });
