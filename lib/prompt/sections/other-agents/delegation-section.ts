import { givenSection } from "@/lib/prompt/section";

/** Section 18: DELEGATION.md, whose text comes with the agents that the run may delegate to, in every mode. */
export const delegationSection = givenSection("delegation");
