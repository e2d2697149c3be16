import { capitalize, unquote } from "./request";
import { callRound, type DemoScript, type DemoTurn, resultOf } from "./turn";

const DELEGATE_TO = /^delegate to ([a-z0-9][a-z0-9_-]*)\s*:\s*([\s\S]+?)[.!]?$/i;
const HAND_OVER = /^hand (?:me|us|this|the conversation) over to ([a-z0-9][a-z0-9_-]*)(?:\s*:\s*([\s\S]+?))?[.!]?$/i;

/** The script for "Delegate to <id>: …" or "Hand me over to <id>: …", or null. */
export function delegationScript(text: string): DemoScript | null {
  const [, agent, work] = DELEGATE_TO.exec(text) ?? [];
  if (agent && work) return delegateScript(agent.toLowerCase(), capitalize(unquote(work)));
  const [, other, why = "You asked for it"] = HAND_OVER.exec(text) ?? [];
  if (other) return handoffScript(other.toLowerCase(), capitalize(unquote(why)));
  return null;
}

function delegateScript(agent: string, task: string): DemoScript {
  return {
    needs: ["delegate"],
    rounds: [
      () =>
        callRound({ thought: `This is work for ${agent}.`, say: `I'll give this to ${agent}.` }, "delegate", {
          agent,
          task,
        }),
    ],
    conclude: (done) => {
      const answer = (resultOf(done, 0)?.text ?? "").replaceAll(/<\/?answer_of_agent>\n?/g, "").trim();
      return `${capitalize(agent)} answered:\n\n> ${answer.replaceAll("\n", "\n> ")}`;
    },
  };
}

function handoffScript(agent: string, reason: string): DemoScript {
  return {
    needs: ["handoff"],
    rounds: [
      () =>
        callRound({ thought: `${capitalize(agent)} should answer from here on.`, say: "" }, "handoff", {
          agent,
          reason: `${reason}.`,
        }),
    ],
    conclude: () => TOOK_OVER,
  };
}

const TOOK_OVER = "I have taken over this conversation. What can I do for you?";

/** The first words of the agent that took over a conversation; null in any other turn. */
export function takeoverText({ rounds }: DemoTurn): string | null {
  const isHanded = rounds.at(-1)?.some(({ call, isError }) => call.name === "handoff" && !isError) ?? false;
  return isHanded ? TOOK_OVER : null;
}
