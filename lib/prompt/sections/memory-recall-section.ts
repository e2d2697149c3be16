import { givenSection } from "@/lib/prompt/section";

/** Section 7: snippets of older notes that match the message, from the memory hook. */
export const memoryRecallSection = givenSection("memory_recall");
