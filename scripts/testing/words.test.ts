import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = globSync("{app,components,lib}/**/*.{ts,tsx}", { exclude: ["**/generated/**", "**/*.test.*"] });

/** One word for one thing: what pages, dialogs, notices and messages no longer say, and what they say instead. */
const GIVEN_UP: Readonly<Record<string, string>> = {
  "Needs you": "Waiting for you",
  "needs you": "is waiting for you",
  "E-mail": "Email",
  "e-mail": "email",
  "Steps of a run": "Max steps",
  "Attempts again": "Retries",
  "Silence of the model": "Silence timeout",
  "Characters of a token": "Characters per token",
  "Turns the model reads": "Turns sent",
  "Keep of the head": "Keep from the start",
  "Tokens of one reply": "Max reply tokens",
  "Says of itself": "Declared as",
  '"Called at"': "URL",
  "Providers and models": "Models",
  "Nothing starts by itself": "No schedules yet",
  "No agent looks after": "No heartbeats yet",
  "Goes on from here": "Carries on from here",
  'word: "Cancelled"': "Stopped",
  'label="Took"': "Worked",
};

test("no page or message says a word that was given up", () => {
  expect(files).toContain("components/inbox/inbox-list.tsx");
  const said = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return Object.entries(GIVEN_UP).flatMap(([word, instead]) =>
      isSaid(text, word) ? [`${file}: “${word}” is now “${instead}”`] : [],
    );
  });
  expect(said).toEqual([]);
});

/** As a word of its own: "receive-mail" is no e-mail. */
function isSaid(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/[a-z]/i.test(text.charAt(at - 1))) return true;
  }
  return false;
}
