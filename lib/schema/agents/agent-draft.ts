import { z } from "zod";
import { VersionNumber } from "@/lib/schema/page-query";
import { AgentNote, ConfigProblem, ConfigText, RawConfig } from "./agent-api";

/** The agent's unpublished state; without a draft, the published version with revision 0. */
export const AgentDraft = z.object({
  /** Null while the text can't be read as YAML. */
  config: RawConfig.nullable(),
  /** As it was written, valid or not. */
  yaml: z.string(),
  /** Number of this text; numbers are never reused. */
  revision: z.number(),
  /** The version the draft started from; 0 while none is published. */
  baseVersion: z.number(),
  /** Another version has been published since. */
  isBehind: z.boolean(),
  updatedAt: z.string(),
  updatedByName: z.string().nullable(),
  valid: z.boolean(),
  problems: z.array(ConfigProblem),
});
export type AgentDraft = z.infer<typeof AgentDraft>;

/** An object is merged into the text, so comments and order are kept. `revision` is the one that was read. */
export const SaveDraftBody = z
  .strictObject({
    config: RawConfig.optional(),
    yaml: ConfigText.optional(),
    revision: z.number().int().min(0),
    /** The version the text started from; the current one once the draft is up to date. 0: none is published. */
    baseVersion: z.number().int().min(0).optional(),
  })
  .refine(({ config, yaml }) => (config === undefined) !== (yaml === undefined), {
    message: "Send either config or yaml.",
  });
export type SaveDraftBody = z.infer<typeof SaveDraftBody>;

/** The revision to read or discard; by default the current one. */
export const DraftQuery = z.strictObject({ revision: VersionNumber.optional() });

/** `baseVersion`: the current version (0: none yet), to publish a draft even though it is behind. */
export const PublishDraftBody = z
  .strictObject({
    note: AgentNote.optional(),
    revision: z.number().int().min(0),
    baseVersion: z.number().int().min(0).optional(),
    /** Publishes whatever a gate says; needs a reason, which the audit log keeps. */
    force: z.boolean().optional(),
    reason: z.string().trim().min(1).max(500).optional(),
  })
  .refine(({ force, reason }) => !force || reason !== undefined, {
    message: "Say why: force needs a reason.",
    path: ["reason"],
  });
export type PublishDraftBody = z.infer<typeof PublishDraftBody>;

export const PublishedVersion = z.object({ number: z.number() });
