import { inTags } from "@/lib/agent/messages/tags";
import { FULL_ONLY, type SectionDefinition } from "@/lib/prompt/section";

/** Section 2: BOOTSTRAP.md, which is included only in a person's very first chat with the agent. */
export const bootstrapSection: SectionDefinition = {
  name: "bootstrap",
  modes: FULL_ONLY,
  build({ files }) {
    const text = files.get("BOOTSTRAP.md");
    return text ? `This is the first conversation of this user with you.\n\n${inTags("first_run", text)}` : "";
  },
};
