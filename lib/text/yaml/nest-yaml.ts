import { writeYaml } from "./merge-yaml";

const NESTED = "    ";

/** How many lines `nestYaml` adds above an agent's text. */
export const LINES_ABOVE = 2;

/** Nests an agent's text under `agents: {id: …}`; the import extracts it unchanged. */
export function nestYaml(id: string, yaml: string): string {
  const key = writeYaml({ [id]: 0 }).replace(/: 0\n$/, "");
  const lines = yaml.trimEnd().split("\n");
  return `agents:\n  ${key}:\n${lines.map((line) => (line === "" ? line : `${NESTED}${line}`)).join("\n")}\n`;
}
