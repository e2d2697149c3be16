/** What a person who started the server sees: a few lines from the facts of lib/server/wiring/start-facts.ts (D-67). */
export function describeStart(facts, address) {
  const lines = [
    [`Ringmaster ${facts.version}`, address],
    ["Database", facts.database],
    ["Data", facts.dataDirectory],
    ["Sandbox", facts.sandbox],
    ["Providers", facts.providers.join(", ")],
    ...facts.agents.map((agent) => [
      "Agent",
      `${agent.id} (${count(agent.tools, "tool")}, ${count(agent.skills, "skill")})`,
    ]),
  ];
  return `\n${lines.map(([name, value]) => `  ${name.padEnd(18)}${value}`).join("\n")}\n\n`;
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
