import { FULL_ONLY, type SectionDefinition } from "@/lib/prompt/section";

/** Section 15: the convention for sending nothing (D-40). */
export const silentRepliesSection: SectionDefinition = {
  name: "silent_replies",
  modes: FULL_ONLY,
  build: () => `## Silent replies

When there is nothing that the user needs to read, answer with exactly NO_REPLY and nothing else: then no message is shown. Never add NO_REPLY to a real answer.`,
};
