import { createAgent } from "@/lib/client/agents/agent-queries";

/** A sample board: it also runs on the demo model. */
export const TRIAGE_TEAM = {
  name: "Triage team",
  goal: "Sort what is known about honey bees, and write it down for everybody.",
  lead: "triage-lead",
  members: ["researcher", "writer"],
  review: "none",
} as const;

const AGENTS = {
  "triage-lead": {
    name: "Triage lead",
    yaml: `name: Triage lead
description: Divides a goal into cards for a researcher and a writer, and looks at what comes back.
system_prompt: |
  You lead a small team. Divide the goal into cards that one member can do in one run, name the cards that come first, and
  give each card all that its member has to know. When every card is done, say in a few sentences what came of it.
`,
  },
  researcher: {
    name: "Researcher",
    yaml: `name: Researcher
description: Looks into one question thoroughly and reports what it found.
system_prompt: |
  You are a careful researcher. Separate what you found from what you conclude, and name what remains uncertain.
backend:
  type: state
`,
  },
  writer: {
    name: "Writer",
    yaml: `name: Writer
description: Turns findings into a clear text that others can read at once.
system_prompt: |
  You write clearly and briefly for readers who know nothing of the matter. Say only what the findings support.
backend:
  type: state
`,
  },
} as const;

/** The team's agents that are missing from the installation. */
export function triageAgents(known: readonly string[]) {
  return Object.entries(AGENTS)
    .filter(([id]) => !known.includes(id))
    .map(([id, { name, yaml }]) => ({
      id,
      name,
      create: () => createAgent({ agentId: id, yaml, note: "Made for the triage team" }),
    }));
}
