import { inTags } from "@/lib/agent/messages/tags";
import { EVERY_MODE, type SectionDefinition } from "@/lib/prompt/section";

/** Section 13: `extra_context`, sent in every mode if set (D-36). */
export const extraContextSection: SectionDefinition = {
  name: "extra_context",
  modes: EVERY_MODE,
  build: ({ config }) => (config.extra_context ? inTags("extra_context", config.extra_context) : ""),
};
