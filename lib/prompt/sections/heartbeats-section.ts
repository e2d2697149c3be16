import { givenSection } from "@/lib/prompt/section";

/** Section 16: what a run does that a heartbeat has woken; other runs have none. */
export const heartbeatsSection = givenSection("heartbeats");
