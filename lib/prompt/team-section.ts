import { FULL_ONLY, inTags, type SectionDefinition } from "./section";

/** Section 19: TEAM.md, for the lead of a team. */
export const teamSection: SectionDefinition = {
  name: "team",
  modes: FULL_ONLY,
  build: ({ team }) => (team ? `## Team\n\nYou lead this team.\n\n${inTags("team", team)}` : ""),
};
