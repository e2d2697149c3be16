import { type SectionDefinition, WITH_SECTIONS } from "@/lib/prompt/section";

const MAX_DESCRIPTION_CHARS = 200;

/** Section 3: the tools offered in this call, and how to use them. */
export const toolingSection: SectionDefinition = {
  name: "tooling",
  modes: WITH_SECTIONS,
  build({ tools }) {
    if (tools.length === 0) return "";
    const lines = tools.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
    return `## Tools

${lines.join("\n")}

Call a tool when it gets you a fact or does the work; do not announce it first. Calls that do not depend on each other go into one reply. A failed call says why: change something before you repeat it. Never invent a result.`;
  },
};

function firstSentence(description: string): string {
  const line = description.replace(/\s+/g, " ").trim();
  const sentence = /^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line;
  return sentence.length > MAX_DESCRIPTION_CHARS
    ? `${sentence.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()}…`
    : sentence;
}
