import { z } from "zod";
import { VersionNumber } from "@/lib/schema/page-query";
import { storedText } from "@/lib/schema/plain-text";

/** Name of an installed skill: its folder under `/skills`. */
export const SkillName = z.string().regex(/^[a-z0-9-]{1,64}$/, "must have 1 to 64 of the characters a-z, 0-9 and -");

/** The most that one installed skill may have. Bytes and counts; `pathChars` and `depth` are of one file's path. */
export const SKILL_LIMITS = {
  files: 500,
  fileBytes: 10 * 2 ** 20,
  totalBytes: 25 * 2 ** 20,
  descriptionChars: 1_024,
  /** Of SKILL.md, which a model reads. */
  instructionBytes: 256 * 2 ** 10,
  pathChars: 300,
  depth: 16,
} as const;

/** POST `/api/skills` as JSON. Paths are relative to the skill's folder, or all begin with that folder's name. */
export const InstallSkillBody = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1_000),
        content: z.string(),
        encoding: z.enum(["utf8", "base64"]).default("utf8"),
      }),
    )
    .min(1)
    .max(2 * SKILL_LIMITS.files),
});
export type InstallSkillBody = z.infer<typeof InstallSkillBody>;

/** How a skill came: uploaded, or as a sample with the installation. */
export const SkillSource = z.enum(["zip", "folder", "json", "sample"]);
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

/** An installed skill. `usedBy` are the agents whose published config has skills on and does not leave this one out. */
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

/** GET `/api/skills/{name}`: `files` are those of the version that was asked for. */
export const SkillDetail = InstalledSkill.extend({
  shownVersion: z.number(),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
  versions: z.array(SkillVersion),
});
export type SkillDetail = z.infer<typeof SkillDetail>;

/** POST `/api/skills`: `unchanged` when the files are those of the current version. */
export const InstallSkillReply = z.object({
  outcome: z.enum(["created", "updated", "unchanged"]),
  skill: InstalledSkill,
});
export type InstallSkillReply = z.infer<typeof InstallSkillReply>;

export const SkillVersionQuery = z.strictObject({ version: VersionNumber.optional() });
export const SkillFileQuery = SkillVersionQuery.extend({ path: storedText(1_000).min(1) });
