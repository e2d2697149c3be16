import { givenSection } from "@/lib/prompt/section";

/** Section 19: TEAM.md, in the runs of a board's lead alone, in every mode. */
export const teamSection = givenSection("team");
