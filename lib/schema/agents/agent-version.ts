import { z } from "zod";

const RESERVED = ["draft", "current", "latest", "live"];

/** A name for a version, such as `prod`; never a number, so the two can't be confused. */
export const AliasName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, "must be 1 to 40 small letters, digits, - and _, and begin with a letter")
  .refine((name) => !RESERVED.includes(name), "is a reserved name");

/** A version in a query: its number or an alias. */
export const VersionName = z.string().min(1).max(40);

/** The agent's version; by default the published one. */
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

/** Each side: a number, an alias, `current` or `draft`. */
export const CompareQuery = z.strictObject({ from: VersionName, to: VersionName });
export type CompareQuery = z.infer<typeof CompareQuery>;

/** A field that differs. It is absent on a side that lacks it; lists are compared as a whole. */
const ConfigChange = z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() });
export type ConfigChange = z.infer<typeof ConfigChange>;

/** A piece of the two system prompts merged, in order. */
const PromptPart = z.object({ text: z.string(), change: z.enum(["same", "added", "removed"]) });
export type PromptPart = z.infer<typeof PromptPart>;

export const VersionComparison = z.object({
  changes: z.array(ConfigChange),
  /** Word by word; empty if the prompts are the same. */
  promptDiff: z.array(PromptPart),
});
export type VersionComparison = z.infer<typeof VersionComparison>;

/** POST `/api/agents/{id}/versions/{number}/restore`: `revision` is that of the draft being replaced. */
export const RestoreVersionBody = z.strictObject({ revision: z.number().int().min(0) });
