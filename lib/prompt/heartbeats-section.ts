import { FULL_ONLY, inTags, type SectionDefinition } from "./section";

/** Section 16: what to do when the agent was woken by its schedule and not by a person. */
export const heartbeatsSection: SectionDefinition = {
  name: "heartbeats",
  modes: FULL_ONLY,
  build({ isHeartbeat, files }) {
    if (!isHeartbeat) return "";
    const tasks = files.get("HEARTBEAT.md");
    const list = tasks ? `\n\n${inTags("heartbeat_tasks", tasks)}` : "";
    return `## Heartbeat\n\nThis is a periodic wake-up; no person has written. Do what is due, and answer NO_REPLY if nothing is.${list}`;
  },
};
