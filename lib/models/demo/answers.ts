import type { DemoResult, DemoTurn } from "./turn";

const WHO = "I am the **demo model**: a few rules in this program, no AI. I turn plain requests into real tool calls.";

const EXAMPLES: readonly (readonly [tool: string, phrase: string, shows: string])[] = [
  ["write_todos", "Plan and create a small website about bees", "todos, files, several steps"],
  ["write_file", "Create hello.py with print('Hello')", "a file"],
  ["execute", "Run python3 hello.py", "a command in the sandbox, once you allow it"],
  ["ask_user", "Ask me which colour: red, green or blue", "a question to you"],
  ["task", "Research honey bees", "a subagent at work"],
  ["delegate", "Delegate to researcher: calculate 6 * 7", "another agent at work, by its id"],
  ["handoff", "Hand me over to researcher: it knows more", "a handoff, which you can take back"],
  ["schedule", "Every weekday at 9, calculate 6 * 7", "a schedule, once you allow it"],
  ["read_file", "Write my morning brief", "what is open in tasks.md, as a schedule tells it"],
  ["web_fetch", "Watch this page: https://example.org", "only what has changed on a page since the last look"],
  ["team_tasks", "Add a card: research honey bees", "a card on the board that I lead"],
  ["ls", "List files", "the workspace"],
  ["edit_file", "Replace Hello with Welcome in hello.py", "a change as a diff"],
  ["grep", "Search for Welcome", "a search through the files"],
  ["write_file", "Remember that I like short answers", "memory in AGENTS.md"],
  ["calculate", "Calculate (17 + 4) * 2", "a calculation"],
  ["current_datetime", "What time is it in Tokyo?", "a tool without files"],
];

const ENABLE: Readonly<Record<string, string>> = {
  execute:
    "It needs a working sandbox: on Linux install bubblewrap (`apt install bubblewrap`), and give the agent `backend: {type: local}`.",
  ask_user: "Add `ask_user` to the agent's `tools`.",
  task: "Name other agents in the agent's `subagents`.",
  delegate: "Name other agents in the agent's `delegates`.",
  handoff: "Name other agents in the agent's `delegates`. A conversation can be handed over in the chat only.",
  schedule: "Add `schedule` to the agent's `tools`.",
  team_tasks: "It belongs to the lead of a board: make one under Automations, Boards, then open its lead's thread.",
  web_fetch: "Add `web_fetch` to the agent's `tools`.",
  calculate: "Add `calculate` to the agent's `tools`.",
  current_datetime: "Add `current_datetime` to the agent's `tools`.",
  write_todos: "Add `todolist` to the agent's `hooks`, or leave that list out.",
};
const ENABLE_FILES = "Give the agent a workspace: `backend: {type: local}` (or `state`) in its settings.";

/** The demo model's answer if no rule matches. Lists the phrases that work with all the tools they need. */
export function helpText(offered: ReadonlySet<string>, worksHere: (phrase: string) => boolean): string {
  const usable = EXAMPLES.filter(([tool, phrase]) => offered.has(tool) && worksHere(phrase));
  const rows = usable.map(([, phrase, shows]) => `| "${phrase}" | ${shows} |`);
  const table =
    rows.length === 0
      ? "This agent offers me no tool that I know, so there is little I can show."
      : ["Try one of these:", "", "| Say | It shows |", "| --- | --- |", ...rows].join("\n");
  return [
    WHO,
    table,
    "A heartbeat reports the line `- tell me that two invoices came in` of HEARTBEAT.md once, and nothing else.",
    "Type `/compact` to have earlier messages summarised, `/stop` to stop the run, `/new` for another thread.",
    "To talk to a real model, connect one under Admin › Models. It needs no restart.",
  ].join("\n\n");
}

export function missingToolText(missing: readonly string[]): string {
  const names = missing.map((tool) => `\`${tool}\``).join(" and ");
  const hints = [...new Set(missing.map((tool) => ENABLE[tool] ?? ENABLE_FILES))];
  return [`For this I need ${names}, which this agent does not have.`, ...hints].join("\n\n");
}

export function tooLongText(mostChars: number): string {
  return `${WHO} They read at most ${mostChars.toLocaleString("en")} characters, and your message is longer. Shorten it, or ask a real model.`;
}

export function failureText(failed: DemoResult): string {
  return `\`${failed.call.name}\` failed, so I stopped here:\n\n> ${failed.text.replaceAll("\n", "\n> ")}`;
}

/** The answer if the tools were withdrawn before the work was done. */
export function finalAnswerText(turn: DemoTurn): string {
  const lines = turn.rounds.flat().map(({ call, isError }) => `- \`${call.name}\`${isError ? " (failed)" : ""}`);
  return `I was asked to answer without further tools, so the work is not finished. So far I called:\n\n${lines.join("\n")}`;
}
