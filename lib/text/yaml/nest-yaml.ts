import { writeYaml } from "./merge-yaml";

const NESTED = "    ";

/** How many lines an agent's text has above it in `nestYaml`. */
export const LINES_ABOVE = 2;

/** An agent's text under `agents: {id: …}`, from which the import takes it out again as it was. */
export function nestYaml(id: string, yaml: string): string {
  const key = writeYaml({ [id]: 0 }).replace(/: 0\n$/, "");
  const lines = yaml.trimEnd().split("\n");
  return `agents:\n  ${key}:\n${lines.map((line) => (line === "" ? line : `${NESTED}${line}`)).join("\n")}\n`;
}
