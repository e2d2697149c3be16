import { capitalize, slugOf, unquote } from "./request";
import { callRound, codeBlock, type DemoScript, readJson, resultOf } from "./turn";

const ASK = /^(?:ask|question)\s+me\b/i;
const ABOUT = /^(?:about|for|something about)\b/i;
const DELEGATE =
  /^(?:delegate|hand over|let (?:a|the) (?:researcher|subagent))\s*:?\s+([\s\S]+?)(?:\s+to (?:the |a )?(?:researcher|subagent))?[.!]?$/i;
const RESEARCH = /^(?:research|investigate|look into|find out about)\s*:?\s+([\s\S]+?)[.?!]?$/i;

const SCHEDULED =
  /^(?:(?:please\s+)?(?:schedule|remind me)\s*:?\s+)?((?:every|each|on|weekdays|daily)\b[^,:;]*?\bat\s+\d{1,2}(?:[:.]\d{2})?(?:\s*[ap]m)?|every\s+(?:\d+\s+)?(?:min(?:ute)?s?|hours?|days?))\s*[,:;]?\s+(?:please\s+)?(?:to\s+)?(\S[\s\S]*?)[.!]?$/i;

/** The subagent of the seeded agent (D-60). */
const SUBAGENT = "researcher";

/** The script for "Ask me …", "delegate …" or "research …", which need a person or another agent; otherwise null. */
export function peopleScript(text: string, offered: ReadonlySet<string>): DemoScript | null {
  const timed = SCHEDULED.exec(text);
  if (timed) return scheduleScript(timed[1] ?? "", capitalize(unquote(timed[2] ?? "")));
  const ask = ASK.exec(text);
  if (ask) return askScript(topicOf(text.slice(ask[0].length)));
  const delegated = DELEGATE.exec(text)?.[1];
  if (delegated) return taskScript(capitalize(unquote(delegated)));
  const topic = RESEARCH.exec(text)?.[1];
  if (!topic) return null;
  return offered.has("task") || !offered.has("write_file") ? taskScript(`Research ${topic}`) : notesScript(topic);
}

/** What follows "Ask me": without "about", a colon and the mark at its end. */
function topicOf(rest: string): string {
  const topic = rest.trim().replace(ABOUT, "").trimStart().replace(/^:/, "");
  return topic.replace(/[.?!]$/, "").trim();
}

function scheduleScript(when: string, prompt: string): DemoScript {
  return {
    needs: ["schedule"],
    rounds: [
      () =>
        callRound(
          { thought: "This is to happen again and again, so I make a schedule.", say: `I'll schedule this: ${when}.` },
          "schedule",
          {
            action: "create",
            name: prompt.slice(0, 60).toWellFormed(),
            when: when.replace(/^each\b/i, "every"),
            prompt,
          },
        ),
    ],
    conclude: (done) => resultOf(done, 0)?.text ?? "",
  };
}

function askScript(about: string): DemoScript {
  return {
    needs: ["ask_user"],
    rounds: [
      () =>
        callRound(
          { thought: "Only the user knows this, so I ask.", say: "I need to know something first." },
          "ask_user",
          {
            questions: [questionFrom(about)],
          },
        ),
    ],
    conclude(done) {
      const reply = readJson(resultOf(done, 0)?.text ?? "") as { answers?: unknown } | undefined;
      const [answer] = Array.isArray(reply?.answers) ? reply.answers : [];
      const words = Array.isArray(answer) ? answer.join(", ") : String(answer ?? "");
      return words === "" ? "You gave no answer." : `You answered **${words}**.`;
    },
  };
}

/** Turns "Which year: fiscal or calendar" into a choice, anything else into a free-text question. */
function questionFrom(about: string): { question: string; options?: string[] } {
  if (about === "" || /^(?:a question|something)$/i.test(about)) {
    return { question: "Which of these do you like best?", options: ["Todos", "Files", "Commands"] };
  }
  const [, head, list] = /^([^:]+):([\s\S]+)$/.exec(about) ?? [];
  const options = (list ?? "")
    .split(/,(?:\s*or\s)?|\sor\s/i)
    .map((option) => unquote(option.trim()))
    .filter((option) => option !== "");
  const distinct = [...new Set(options)].slice(0, 20);
  if (head === undefined || distinct.length < 2) return { question: `${capitalize(about)}?` };
  return { question: `${capitalize(head.trim())}?`, options: distinct };
}

function taskScript(prompt: string): DemoScript {
  const description = prompt.replace(/\s+/g, " ").slice(0, 100).toWellFormed();
  return {
    needs: ["task"],
    rounds: [
      () =>
        callRound(
          { thought: `The ${SUBAGENT} can do this by itself.`, say: `I'll give this to the ${SUBAGENT}.` },
          "task",
          { agent: SUBAGENT, description, prompt },
        ),
    ],
    conclude: (done) => `The ${SUBAGENT} answered:\n\n> ${(resultOf(done, 0)?.text ?? "").replaceAll("\n", "\n> ")}`,
  };
}

/** The researcher's own script: it can only note what it was asked. */
function notesScript(topic: string): DemoScript {
  const path = `notes/${slugOf(topic)}.md`;
  const content = `# ${capitalize(topic)}\n\n- What is asked: ${topic}\n- What is known: nothing yet; the demo model has no knowledge of its own\n- What to do next: choose a real model and ask again\n`;
  return {
    needs: ["write_file", "read_file"],
    rounds: [
      () => callRound({ thought: "I note the question first.", say: "" }, "write_file", { path, content }),
      () => callRound({ thought: "I check what I wrote.", say: "" }, "read_file", { path }),
    ],
    conclude: (done) =>
      `My notes are in \`${path}\`:\n\n${codeBlock(resultOf(done, 1)?.text ?? content, "md")}\n\nI am rule-based and know nothing about ${topic} myself.`,
  };
}
