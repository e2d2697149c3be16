import { givenSection } from "@/lib/prompt/section";

/** Section 16: instructions for a run started by a heartbeat; omitted in other runs. */
export const heartbeatsSection = givenSection("heartbeats");
