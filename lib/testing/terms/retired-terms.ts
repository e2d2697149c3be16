/** One word for one thing: what pages, dialogs, notices and messages no longer say, and what they say instead. */
const RETIRED_TERMS: Readonly<Record<string, string>> = {
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
  "Providers and models": "Models",
  "Nothing starts by itself": "No schedules yet",
  "No agent looks after": "No heartbeats yet",
  "Goes on from here": "Carries on from here",
  "declines the request above": "denies the request above",
  Declined: "Denied",
  "switching undoes nothing": "Files are not rolled back",
  "Ended at the budget": "Stopped at the budget",
  "As a fallback it is passed over": "Other roles cannot use this provider",
  "What is sent once a day": "Daily summaries arrive at …",
  "People are known by": "Accounts are matched by",
  "of which known": "Tokens unknown",
};

/** Labels that are too common as words, so that only a whole label counts. */
const GIVEN_UP_LABELS: Readonly<Record<string, string>> = {
  "Called at": "URL",
  Cancelled: "Stopped",
  Took: "Worked",
  "At the same time": "Parallel calls",
  "Around it": "Prompt sections",
  "If within": "Only if less than … late",
  "Runs in": "Runs on",
};

/** The words in `text`, and the labels that it is as a whole, each with what replaced it. */
export function findRetiredTerms(text: string): string[] {
  const words = Object.entries(RETIRED_TERMS).filter(([word]) => isSaid(text, word));
  const labels = Object.entries(GIVEN_UP_LABELS).filter(([label]) => text.trim() === label);
  return [...words, ...labels].map(([word, instead]) => `“${word}” is now “${instead}”`);
}

/** As a word of its own: "receive-mail" is no e-mail. */
function isSaid(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/[a-z]/i.test(text.charAt(at - 1))) return true;
  }
  return false;
}
