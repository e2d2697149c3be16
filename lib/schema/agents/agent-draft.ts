import { z } from "zod";
import { VersionNumber } from "@/lib/schema/page-query";
import { AgentNote, ConfigProblem, ConfigText, RawConfig } from "./agent-api";

/** What an agent is to become; without a draft the published version, with revision 0. */
export const AgentDraft = z.object({
  /** Null while the text can't be read as YAML. */
  config: RawConfig.nullable(),
  /** As it was written, valid or not. */
  yaml: z.string(),
  /** The number of this text; numbers never begin again. */
  revision: z.number(),
  /** The version it was begun from. */
  baseVersion: z.number(),
  /** Another version has been published since. */
  isBehind: z.boolean(),
  updatedAt: z.string(),
  updatedByName: z.string().nullable(),
  valid: z.boolean(),
  problems: z.array(ConfigProblem),
});
export type AgentDraft = z.infer<typeof AgentDraft>;

/** An object is merged into the text, so that comments and order stay. `revision` is the one that was read. */
export const SaveDraftBody = z
  .strictObject({
    config: RawConfig.optional(),
    yaml: ConfigText.optional(),
    revision: z.number().int().min(0),
    /** The version that the text was begun from: the current one where it has been brought up to date. */
    baseVersion: z.number().int().min(1).optional(),
  })
  .refine(({ config, yaml }) => (config === undefined) !== (yaml === undefined), {
    message: "Send either config or yaml.",
  });
export type SaveDraftBody = z.infer<typeof SaveDraftBody>;

/** Which revision to read or to discard; without it the current one. */
export const DraftQuery = z.strictObject({ revision: VersionNumber.optional() });

/** `baseVersion`: the current version, to publish a draft that is behind all the same. */
export const PublishDraftBody = z
  .strictObject({
    note: AgentNote.optional(),
    revision: z.number().int().min(0),
    baseVersion: z.number().int().min(1).optional(),
    /** Publish whatever a gate says; needs a reason, which the audit log keeps. */
    force: z.boolean().optional(),
    reason: z.string().trim().min(1).max(500).optional(),
  })
  .refine(({ force, reason }) => !force || reason !== undefined, {
    message: "Say why: force needs a reason.",
    path: ["reason"],
  });
export type PublishDraftBody = z.infer<typeof PublishDraftBody>;

export const PublishedVersion = z.object({ number: z.number() });
