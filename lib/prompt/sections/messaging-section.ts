import { givenSection } from "@/lib/prompt/section";

/** Section 12: formatting rules of the chat that receives the answer; omitted in runs that no channel started. */
export const messagingSection = givenSection("messaging");
