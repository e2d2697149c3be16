import { givenSection } from "@/lib/prompt/section";

/** Section 5: the list or the texts of the skills, from the skills hook. */
export const skillsSection = givenSection("skills");
