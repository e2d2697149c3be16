import { FULL_ONLY, type SectionDefinition } from "./section";

/** S4: up to so many targets are named, more are to be searched for. */
const MAX_INLINE = 15;

/** Section 18: the agents that work can be passed on to. */
export const delegationSection: SectionDefinition = {
  name: "delegation",
  modes: FULL_ONLY,
  build({ delegates }) {
    if (delegates.length === 0) return "";
    const list =
      delegates.length > MAX_INLINE
        ? `There are ${delegates.length} agents; search for the one that fits.`
        : delegates.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
    return `## Delegation\n\nYou can pass work on to these agents.\n${list}`;
  },
};
