import { type SectionDefinition, WITH_SECTIONS } from "@/lib/prompt/section";

/** Section 9: what commands may do, if commands can run. */
export const sandboxSection: SectionDefinition = {
  name: "sandbox",
  modes: WITH_SECTIONS,
  build({ sandbox }) {
    if (!sandbox) return "";
    const network = sandbox.network ? "They can reach the network." : "They have no network.";
    return `## Sandbox

Commands run in a sandbox that sees only the workspace. ${network} Each has ${sandbox.memoryMb} MB of memory and ${Math.round(sandbox.timeoutMs / 1_000)} seconds.`;
  },
};
