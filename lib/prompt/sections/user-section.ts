import { FULL_ONLY, type SectionDefinition } from "@/lib/prompt/section";

/** Section 10: who the agent talks to. */
export const userSection: SectionDefinition = {
  name: "user",
  modes: FULL_ONLY,
  build: ({ user }) => `## User

You talk to ${user.name ?? "a user without a name"} (id ${user.id}).`,
};
