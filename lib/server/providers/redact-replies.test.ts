import { expect, test } from "vitest";
import type { ModelCallOptions, ModelPort } from "@/lib/agent/model";
import { createSecretFinder } from "@/lib/server/platform/secrets/secret-finder";
import { redactReplies } from "./redact-replies";

const SECRET = "correct-horse-battery";
const finder = createSecretFinder([SECRET]);

/** What a page is shown of a call that streams like this, by kind; what follows its own kind is added to it. */
async function shownOf(stream: (options: ModelCallOptions) => void): Promise<string[]> {
  const shown: string[] = [];
  const show = (kind: string) => (text: string) => {
    const last = shown.at(-1);
    if (last?.startsWith(kind)) shown[shown.length - 1] = last + text;
    else shown.push(`${kind}: ${text}`);
  };
  const model = {
    call: async (_request: unknown, options: ModelCallOptions) => {
      stream(options);
      return { content: "", reasoning: [], toolCalls: [] };
    },
  } as unknown as ModelPort;
  const options = { onText: show("text"), onReasoning: show("thought") } as unknown as ModelCallOptions;
  await redactReplies(model, () => finder).call({} as never, options);
  return shown;
}

test("what is held back of a thought, because a secret may begin there, is shown before the answer", async () => {
  const shown = await shownOf(({ onText, onReasoning }) => {
    onReasoning?.("Two steps, correct-");
    onText?.("Planning, correct-horse");
    onReasoning?.("Again");
  });
  expect(shown).toEqual(["thought: Two steps, correct-", "text: Planning, correct-horse", "thought: Again"]);
});

test("a secret that arrives in pieces is redacted in a thought and in an answer", async () => {
  const shown = await shownOf(({ onText, onReasoning }) => {
    for (const piece of ["It is correct", "-horse-", "battery."]) onReasoning?.(piece);
    for (const piece of ["So: ", "correct-horse-bat", "tery"]) onText?.(piece);
  });
  expect(shown).toEqual(["thought: It is [redacted].", "text: So: [redacted]"]);
});
