import { givenSection } from "@/lib/prompt/section";

/** Section 6: how to find a skill if there are many, from the skills hook. */
export const skillSearchSection = givenSection("skill_search");
