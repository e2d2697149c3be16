import { z } from "zod";
import { PromptSectionSwitches } from "./prompt-section";

const count = z.number().int().nonnegative();
const ratio = z.number().min(0).max(1);

/** The skills that an agent sees, and how (D-22). */
export const SkillsConfig = z.strictObject({
  paths: z.array(z.string().min(1)).default([]),
  mode: z.enum(["auto", "catalog", "search", "inline"]).default("auto"),
  /** Null: all skills found. */
  enabled: z.array(z.string().min(1)).nullable().default(null),
  catalog: z
    .strictObject({
      max_skills: count.max(500).default(20),
      max_tokens: count.max(1_000_000).default(3_500),
    })
    .describe("In mode auto, above either of these skill_search is offered instead of the list.")
    .prefault({}),
  search: z
    .strictObject({ top: z.number().int().min(1).max(50).default(5) })
    .describe("How many skills one search finds.")
    .prefault({}),
});

/** The most of IDENTITY.md and similar files that a prompt contains (S4); a cut file keeps its head and its tail. */
const PromptFilesConfig = z
  .strictObject({
    max_chars: z.number().int().min(1_000).max(1_000_000).describe("Characters of one prompt file.").default(20_000),
    max_total_chars: z
      .number()
      .int()
      .min(1_000)
      .max(1_000_000)
      .describe("Characters of all prompt files together.")
      .default(24_000),
    head_ratio: ratio.describe("Of the space of a shortened file, the share that its start gets.").default(0.7),
    tail_ratio: ratio.describe("Of the space of a shortened file, the share that its end gets.").default(0.2),
  })
  .refine(({ head_ratio: head, tail_ratio: tail }) => head + tail <= 1, {
    message: "head_ratio and tail_ratio must not be more than 1 together",
    path: ["head_ratio"],
  });
export type PromptFilesConfig = z.output<typeof PromptFilesConfig>;

/** The system prompt as a list of sections (D-36). */
export const PromptConfig = z.strictObject({
  mode: z.enum(["plain", "full", "minimal"]).default("plain"),
  sections: PromptSectionSwitches.default({}),
  order: z
    .enum(["s4", "s3"])
    .describe("s3 puts the project context (SOUL.md and the like) before skills and memory.")
    .default("s4"),
  files: PromptFilesConfig.prefault({}),
});

/** The rules by which a `NO_REPLY` reply means silence (D-40). */
export const SilentRepliesConfig = z.strictObject({
  max_other_chars: count
    .max(10_000)
    .describe(
      "A reply with NO_REPLY and at most this many other characters is silent; a longer one is shown without the token.",
    )
    .default(80),
});
