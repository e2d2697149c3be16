import { givenSection } from "@/lib/prompt/section";

/** Section 12: how text has to look in the chat that the answer goes to; runs that come from no channel have none. */
export const messagingSection = givenSection("messaging");
