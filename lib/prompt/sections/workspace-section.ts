import { type SectionDefinition, WITH_SECTIONS } from "@/lib/prompt/section";

/** Section 8: where the files are and what the top folder contains. */
export const workspaceSection: SectionDefinition = {
  name: "workspace",
  modes: WITH_SECTIONS,
  build({ workspace }) {
    if (!workspace) return "";
    const { workdir, entries, omitted } = workspace;
    const more = omitted > 0 ? `\n… and ${omitted} more` : "";
    const listing =
      entries.length === 0 ? "It is empty." : `At the start of this run it holds:\n${entries.join("\n")}${more}`;
    return `## Workspace

Your working directory is ${workdir}; relative paths start there. ${listing}`;
  },
};
