import { type SectionDefinition, WITH_SECTIONS } from "@/lib/prompt/section";

/** Section 20: the agent's runtime, including its name (S3 getIdentity). */
export const runtimeSection: SectionDefinition = {
  name: "runtime",
  modes: WITH_SECTIONS,
  build({ config, agentId, threadId, model }) {
    const provider = model.split(":", 1)[0];
    return `## Runtime\n\nagent ${agentId} (${config.name}) · thread ${threadId} · provider ${provider} · model ${model.slice((provider?.length ?? 0) + 1)}`;
  },
};
