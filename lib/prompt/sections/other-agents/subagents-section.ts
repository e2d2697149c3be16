import { FULL_ONLY, type SectionDefinition } from "@/lib/prompt/section";

/** Section 17: rules for delegating work to subagents, if the agent has any. */
export const subagentsSection: SectionDefinition = {
  name: "subagents",
  modes: FULL_ONLY,
  build({ tools }) {
    if (!tools.some(({ name }) => name === "task")) return "";
    return `## Subagents

Hand a part of the work to a subagent with task when it can be done on its own. It knows nothing of this conversation: its prompt must hold the goal, what is known, and what to report. Parts that do not depend on each other go out in one reply. Check what comes back before you rely on it; the answer to the user is yours.`;
  },
};
