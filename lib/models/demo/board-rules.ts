import { capitalize, unquote } from "./request";
import { callRound, type DemoScript, resultOf } from "./turn";

const WORK = /^You work on card \d+ of the board "[^"]*"\.\n\n# ([^\n]+)\n\n/;
const REVIEW = /^You review card \d+ of the board /;
const LEAD = /^You lead the board "[^"]*"\. Its goal:\n\n([\s\S]+?)\n\nWrite its cards/;
const NEWS = /^Card (\d+), "[^\n]*?", (is done|is blocked|has failed)/;
const ADD = /^(?:add|create|make|write)\s+(?:an?\s+)?(?:new\s+)?card\s*:\s*([\s\S]+?)[.!]?$/i;

/**
 * The script for a message to a board's lead, member or reviewer, or null. `read` reads a card's title as a request.
 */
export function boardScript(text: string, read: (task: string) => DemoScript[] | null): DemoScript[] | null {
  const task = WORK.exec(text)?.[1];
  if (task !== undefined) return read(task) ?? [plainWork(task)];
  if (REVIEW.test(text)) return [reviewScript()];
  const goal = LEAD.exec(text)?.[1];
  if (goal !== undefined) return [leadScript(goal)];
  const [, number, what] = NEWS.exec(text) ?? [];
  return number === undefined ? null : [newsScript(number, what ?? "")];
}

/** The script for "Add a card: …", sent to the lead of a board. */
export function newCardScript(text: string): DemoScript | null {
  const title = ADD.exec(text)?.[1];
  if (title === undefined) return null;
  return {
    needs: ["team_tasks"],
    rounds: [() => createCard("The team can do this, so it becomes a card.", { title: capitalize(unquote(title)) })],
    conclude: (done) => resultOf(done, 0)?.text ?? "",
  };
}

function createCard(thought: string, card: Record<string, unknown>) {
  return callRound({ thought, say: "" }, "team_tasks", { action: "create", ...card });
}

/** Creates two cards in order: research, then a text about the results. */
function leadScript(goal: string): DemoScript {
  const topic = topicOf(goal);
  return {
    needs: ["team_tasks"],
    rounds: [
      () =>
        createCard("First the team finds out what is known.", { title: `Research ${topic}`, assignee: "researcher" }),
      () =>
        createCard("Then one member writes it down.", {
          title: `Create report.md with "What we know about ${topic}"`,
          assignee: "writer",
          depends_on: [1],
        }),
    ],
    conclude: (done) => done.map((_, index) => resultOf(done, index)?.text ?? "").join("\n"),
  };
}

/** Extracts the topic: "Sort what is known about honey bees, and …" gives "honey bees". */
function topicOf(goal: string): string {
  const line = goal.trim().split("\n")[0] ?? "";
  const about = /\babout\s+([^,.;:]+)/i.exec(line)?.[1] ?? line.replace(/^research\s+/i, "");
  return about.replaceAll('"', "").trim().slice(0, 80).toWellFormed() || "the goal";
}

function plainWork(task: string): DemoScript {
  return {
    needs: [],
    rounds: [],
    conclude: () =>
      `I am rule-based and know no rule for “${task}”. Write a title such as “Research honey bees”, or choose a real model.`,
  };
}

function reviewScript(): DemoScript {
  return {
    needs: ["team_tasks"],
    rounds: [
      () =>
        callRound({ thought: "There is a result, which is all that I can check.", say: "" }, "team_tasks", {
          action: "accept",
        }),
    ],
    conclude: () => "I have accepted the result.",
  };
}

function newsScript(number: string, what: string): DemoScript {
  if (what !== "is blocked") {
    return { needs: [], rounds: [], conclude: () => `Noted: card ${number} ${what}.` };
  }
  return {
    needs: ["team_tasks"],
    rounds: [
      () =>
        callRound({ thought: "The member needs an answer.", say: "" }, "team_tasks", {
          action: "answer",
          card: Number(number),
          note: "Decide it yourself, and say in the result what you chose.",
        }),
    ],
    conclude: () => `I have answered card ${number}.`,
  };
}
