import { givenSection } from "@/lib/prompt/section";

/** Section 19: TEAM.md, in every mode, but only in the runs of a board's lead. */
export const teamSection = givenSection("team");
