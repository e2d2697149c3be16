import { givenSection } from "@/lib/prompt/section";

/** Section 18: DELEGATION.md, in every mode; its text comes with the agents that the run may delegate to. */
export const delegationSection = givenSection("delegation");
