import { z } from "zod";
import { RowNumber, VersionNumber } from "@/lib/schema/page-query";
import { storedText } from "@/lib/schema/plain-text";

const NAME_RULE = "must have 1 to 64 of the characters a-z, 0-9 and -";

/** Name of an installed skill: its folder under `/skills`. */
export const SkillName = z.string().regex(/^[a-z0-9-]{1,64}$/, NAME_RULE);

/** Name of a newly installed skill, per the Agent Skills format; older ones may break the second rule. */
export const NewSkillName = SkillName.regex(
  /^[^-]+(-[^-]+)*$/,
  "must neither begin nor end with a hyphen, nor have two in a row",
);

/** Limits of one installed skill. Bytes and counts; `pathChars` and `depth` apply to one file's path. */
export const SKILL_LIMITS = {
  files: 500,
  fileBytes: 10 * 2 ** 20,
  totalBytes: 25 * 2 ** 20,
  descriptionChars: 1_024,
  /** For SKILL.md, which a model reads. */
  instructionBytes: 256 * 2 ** 10,
  pathChars: 300,
  depth: 16,
} as const;

const Encoding = z.enum(["utf8", "base64"]).default("utf8");

/**
 * POST `/api/skills` as JSON. Paths are relative to the skill's folder, or all begin with that folder's name. `name` is
 * used if SKILL.md has none; if it has one, the two must be the same.
 */
export const InstallSkillBody = z.strictObject({
  name: NewSkillName.optional(),
  files: z
    .array(z.strictObject({ path: z.string().min(1).max(1_000), content: z.string(), encoding: Encoding }))
    .min(1)
    .max(2 * SKILL_LIMITS.files),
});
export type InstallSkillBody = z.infer<typeof InstallSkillBody>;

/** PUT `/api/skills/{name}/files`: writes one file of the current version, whose number is `version`. */
export const WriteSkillFileBody = z.strictObject({
  path: z.string().min(1).max(1_000),
  content: z.string(),
  encoding: Encoding,
  version: VersionNumber,
});
export type WriteSkillFileBody = z.infer<typeof WriteSkillFileBody>;

/** A version's origin: an upload, an edit in place, or a sample shipped with the installation. */
export const SkillSource = z.enum(["zip", "folder", "json", "sample", "edit"]);
export type SkillSource = z.infer<typeof SkillSource>;

/** An immutable version of an installed skill. */
export const SkillVersion = z.object({
  number: z.number(),
  description: z.string(),
  source: SkillSource,
  fileCount: z.number(),
  sizeBytes: z.number(),
  createdAt: z.string(),
  createdByName: z.string().nullable(),
  current: z.boolean(),
});
export type SkillVersion = z.infer<typeof SkillVersion>;
export const SkillVersionList = z.object({ versions: z.array(SkillVersion) });

/** An installed skill. `usedBy` are the agents whose published config has skills on and does not exclude this one. */
export const InstalledSkill = z.object({
  name: z.string(),
  description: z.string(),
  version: z.number(),
  source: SkillSource,
  fileCount: z.number(),
  sizeBytes: z.number(),
  updatedAt: z.string(),
  usedBy: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type InstalledSkill = z.infer<typeof InstalledSkill>;
export const InstalledSkillList = z.object({ skills: z.array(InstalledSkill) });

/** GET `/api/skills/{name}`: `files` are those of the requested version. */
export const SkillDetail = InstalledSkill.extend({
  shownVersion: z.number(),
  /** Fields of the front matter of SKILL.md besides name and description. */
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  /** As written; null if every tool may be used. */
  allowedTools: z.array(z.string()).nullable(),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
  versions: z.array(SkillVersion),
});
export type SkillDetail = z.infer<typeof SkillDetail>;

/** POST `/api/skills`: `unchanged` if the files are those of the current version. */
export const InstallSkillReply = InstalledSkill.extend({ outcome: z.enum(["created", "updated", "unchanged"]) });
export type InstallSkillReply = z.infer<typeof InstallSkillReply>;

/** `from` 0 is a skill without files; without `from` the version before `to`, without `to` the current one. */
export const SkillDiffQuery = z.strictObject({ from: RowNumber.min(0).optional(), to: VersionNumber.optional() });
export type SkillDiffQuery = z.infer<typeof SkillDiffQuery>;
/** The files that differ. `patch` is a unified diff, null if either side is not text. */
export const SkillDiff = z.object({
  from: z.number(),
  to: z.number(),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(["added", "removed", "changed"]),
      patch: z.string().nullable(),
    }),
  ),
});
export type SkillDiff = z.infer<typeof SkillDiff>;

/**
 * The agents that have the skill, and their prompts' text about it: its line of the list, its whole text, or how to
 * search. `command` starts a message that asks for the skill; the prompt then also contains `askedText`.
 */
export const SkillUsage = z.object({
  agents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mode: z.enum(["catalog", "search", "inline"]),
      text: z.string(),
      tokens: z.number(),
    }),
  ),
  command: z.string(),
  askedText: z.string(),
});
export type SkillUsage = z.infer<typeof SkillUsage>;

export const SkillFileRemovalQuery = z.strictObject({ path: storedText(1_000).min(1), version: VersionNumber });
export const SkillVersionQuery = z.strictObject({ version: VersionNumber.optional() });
export const SkillFileQuery = SkillVersionQuery.extend({ path: storedText(1_000).min(1) });
