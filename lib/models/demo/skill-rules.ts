import type { ModelRequest } from "@/lib/agent/model";
import { callRound, codeBlock, type DemoScript, resultOf } from "./turn";

/** A skill that the user's message requests, according to the system prompt. */
export interface AskedSkill {
  readonly name: string;
  readonly path: string;
}

const ASKED = /it asks for the skill "([^"\n]+)"\. Read (\S.*?) with read_file\b/;
const COMMAND = /^\s*\/[a-z0-9-]+\s*/i;

export function askedSkillOf({ system }: ModelRequest): AskedSkill | null {
  const [, name, path] = ASKED.exec(system.map(({ text }) => text).join("\n")) ?? [];
  return name === undefined || path === undefined ? null : { name, path };
}

/** The rest of a message after the skill's command. */
export function withoutCommand(text: string): string {
  return text.replace(COMMAND, "");
}

/** Reads the skill and shows its text. */
export function skillScript({ name, path }: AskedSkill): DemoScript {
  return {
    needs: ["read_file"],
    rounds: [
      () =>
        callRound({ thought: `The skill ${name} is asked for, so I read it first.`, say: "" }, "read_file", { path }),
    ],
    conclude(done) {
      const text = (resultOf(done, 0)?.text ?? "").replace(/^---\n[\s\S]*?\n---\n*/, "");
      return `I read the skill **${name}**. A real model would follow it; this is what it says:\n\n${codeBlock(text, "md")}`;
    },
  };
}
