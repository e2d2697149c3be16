import { FULL_ONLY, type SectionDefinition } from "./section";

/** Section 12: how answers must be written for the messaging channel that they go to. */
export const messagingSection: SectionDefinition = {
  name: "messaging",
  modes: FULL_ONLY,
  build: ({ channel }) => (channel ? `## Messaging\n\nYour answer goes to ${channel.name}. ${channel.rules}` : ""),
};
