import { FULL_ONLY, type SectionDefinition } from "@/lib/prompt/section";

/** Section 1: the agent's own system prompt, its identity (IDENTITY.md) and its character (SOUL.md). */
export const identitySection: SectionDefinition = {
  name: "identity",
  modes: ["plain", "full", "minimal"],
  build({ config, given, files }) {
    const own = given.get("identity") ?? "";
    if (!FULL_ONLY.includes(config.prompt.mode)) return own;
    return [own, files.get("IDENTITY.md"), files.get("SOUL.md")].filter(Boolean).join("\n\n");
  },
};
