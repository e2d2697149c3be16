import { capitalize, slugOf } from "./request";
import { callRound, codeBlock, type DemoRound, type DemoScript, resultOf } from "./turn";

const MOST_TODOS = 50;

type Rounds = DemoScript["rounds"];
type Status = "pending" | "in_progress" | "done";

/** Matches a request that starts with "plan"; group 1 is what to plan. */
export const PLAN =
  /^(?:make|create|write|draft|prepare)?\s*(?:an?\s+|me\s+an?\s+|the\s+)?(?:plan|to-?do list)(?:\s*:|\s+(?:for|out|to|how to))?\s+([\s\S]+?)[.!]?$/i;

/** A round that writes the todo list with the first `finished` titles done and the next in progress. */
export function todosRound(
  titles: readonly string[],
  finished: number,
  note: { thought: string; say: string },
): DemoRound {
  const statusOf = (index: number): Status => {
    if (index < finished) return "done";
    return index === finished ? "in_progress" : "pending";
  };
  const todos = titles.map((title, index) => ({
    id: String(index + 1),
    title: shortTitle(title),
    status: statusOf(index),
  }));
  return callRound(note, "write_todos", { todos });
}

/** A plan for work the demo model can't do itself, written to a file or to the todo list. */
export function planScript(topic: string, offered: ReadonlySet<string>): DemoScript {
  const items = topic.split(/\n|;|,(?:\s+and\b)?/).map((item) =>
    item
      .trim()
      .replace(/^(?:[-*•]|\d+[.)])\s+/, "")
      .trim(),
  );
  const listed = items.filter((item) => item !== "").slice(0, MOST_TODOS);
  if (listed.length > 2) return todoOnlyScript(listed.map(capitalize));
  return offered.has("write_file")
    ? planFileScript(topic, offered)
    : todoOnlyScript(phasesOf(topic).map(([phase]) => phase));
}

/** A request whose steps the demo model can all do: todos around the steps' own rounds. */
export function plannedSteps(steps: readonly { title: string; script: DemoScript }[]): DemoScript {
  const titles = steps.map((step) => capitalize(step.title));
  const rounds: Rounds[number][] = [];
  const spans: { script: DemoScript; start: number }[] = [];
  for (const [index, { script }] of steps.entries()) {
    const say = index === 0 ? `I'll do this in ${steps.length} steps.` : "";
    rounds.push(() => todosRound(titles, index, { thought: `Step ${index + 1} of ${steps.length} is next.`, say }));
    const start = rounds.length;
    spans.push({ script, start });
    for (const round of script.rounds) rounds.push((done) => round(done.slice(start)));
  }
  rounds.push(() => todosRound(titles, titles.length, { thought: "Every step is done.", say: "" }));
  return {
    needs: ["write_todos", ...steps.flatMap((step) => step.script.needs)],
    rounds,
    mayFail: new Set(spans.flatMap(({ script, start }) => [...(script.mayFail ?? [])].map((round) => start + round))),
    conclude: (done) =>
      spans
        .map(({ script, start }, index) => {
          const own = done.slice(start, start + script.rounds.length);
          return `### ${index + 1}. ${titles[index]}\n\n${script.conclude(own)}`;
        })
        .join("\n\n"),
  };
}

function todoOnlyScript(titles: readonly string[]): DemoScript {
  return {
    needs: ["write_todos"],
    rounds: [
      () => {
        const todos = titles.map((title, index) => ({
          id: String(index + 1),
          title: shortTitle(title),
          status: "pending",
        }));
        return callRound(
          {
            thought: "These are tasks that I cannot do with my tools; I put them on the todo list.",
            say: "I'll note these tasks.",
          },
          "write_todos",
          { todos },
        );
      },
    ],
    conclude: () =>
      `The list has ${titles.length} tasks, all still open, since I have no tool that does them:\n\n${titles.map((title) => `- [ ] ${title}`).join("\n")}`,
  };
}

function planFileScript(topic: string, offered: ReadonlySet<string>): DemoScript {
  const path = `plans/${slugOf(topic)}.md`;
  const titles = ["Break the goal into phases", `Write ${path}`, "Check the file"];
  const readsBack = offered.has("read_file");
  const rounds: Rounds[number][] = [
    () =>
      todosRound(titles, 0, {
        thought: `The goal is: ${topic}. First a list of what I will do.`,
        say: "I'll make a plan.",
      }),
    () =>
      callRound(
        {
          thought: "Four phases are enough for a first plan; I write them down.",
          say: `I'll write the plan to \`${path}\`.`,
        },
        "write_file",
        {
          path,
          content: planDocument(topic),
        },
      ),
    () => todosRound(titles, 2, { thought: "The file is written; checking it is left.", say: "" }),
    ...(readsBack ? [() => callRound({ thought: "I read the plan back.", say: "" }, "read_file", { path })] : []),
    () => todosRound(titles, 3, { thought: "The file says what it should.", say: "" }),
  ];
  return {
    needs: ["write_todos", "write_file"],
    rounds,
    conclude: (done) => {
      const text = readsBack ? (resultOf(done, 3)?.text ?? planDocument(topic)) : planDocument(topic);
      return `The plan is in \`${path}\`, and all ${titles.length} todos are done:\n\n${codeBlock(text, "md")}\n\nI am rule-based, so the phases are general. A real model would fill them with thought.`;
    },
  };
}

function phasesOf(topic: string): [string, string][] {
  return [
    ["Set the goal", `One sentence that says when "${topic}" is done.`],
    ["Gather what is needed", "People, material, time and money."],
    ["Do the work", "The smallest useful result first."],
    ["Look back", "What worked, what to change next time."],
  ];
}

function planDocument(topic: string): string {
  const rows = phasesOf(topic).map(
    ([phase, result], index) => `| ${index + 1} | ${phase} | ${result.replaceAll("|", "/")} |`,
  );
  return [`# Plan: ${topic}`, "", "| Phase | What | Result |", "| ---: | --- | --- |", ...rows, ""].join("\n");
}

function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line;
}
