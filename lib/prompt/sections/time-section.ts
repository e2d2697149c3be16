import { type SectionDefinition, WITH_SECTIONS } from "@/lib/prompt/section";

/** Section 11: when the run began; the same for all of its calls, so that the prompt can be cached. */
export const timeSection: SectionDefinition = {
  name: "time",
  modes: WITH_SECTIONS,
  build({ nowMs }) {
    const date = new Date(nowMs);
    const day = date.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
    return `## Time

It is ${day}, ${date.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  },
};
