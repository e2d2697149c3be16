import { expect, test } from "vitest";
import { converseWithDemo, DEMO_TOOLS } from "@/lib/testing/servers/converse-with-demo";
import { SCHEDULE_TEMPLATES, watchPrompt } from "./schedule-templates";

const URL = "https://example.org/prices";
const offered = [...DEMO_TOOLS, "web_fetch"];
const fetched = (page: string) =>
  `Source [1]: Prices\nAddress: ${URL}\nBetween the two lines page_1 …\npage_1\n${page}\npage_1`;

const watch = (page: string, saved: string | null) =>
  converseWithDemo(
    watchPrompt(URL),
    ({ name }) => {
      if (name === "web_fetch") return fetched(page);
      if (name === "glob") return JSON.stringify({ files: saved === null ? [] : ["watch/example-org-prices.md"] });
      return name === "read_file" && saved !== null ? saved : "ok";
    },
    offered,
  );

test("a page is saved the first time without a call that fails, and from then on only what has changed is said", async () => {
  const first = await watch("Tea: 3 €\nCake: 4 €", null);
  expect(first.calls.map(({ name }) => name)).toEqual(["web_fetch", "glob", "write_file"]);
  expect(first.calls.at(-1)).toMatchObject({
    name: "write_file",
    args: { path: "watch/example-org-prices.md", content: "Tea: 3 €\nCake: 4 €\n" },
  });
  expect(first.answer).toContain(`From now on I watch ${URL}`);
  const changed = await watch("Tea: 3 €\nCake: 5 €", "Tea: 3 €\nCake: 4 €\n");
  expect(changed.answer).toContain("+ Cake: 5 €\n- Cake: 4 €");
  expect(changed.answer).not.toContain("Tea");
  expect(changed.calls.at(-1)?.args).toMatchObject({ content: "Tea: 3 €\nCake: 5 €\n" });
});

test("a page that is as it was saved gets no word and no new file", async () => {
  const { answer, calls } = await watch("Tea: 3 €", "Tea: 3 €\n");
  expect([answer, calls.map(({ name }) => name)]).toEqual(["NO_REPLY", ["web_fetch", "glob", "read_file"]]);
});

test("the brief says what is open, or how to begin, without a call that fails", async () => {
  const prompt = SCHEDULE_TEMPLATES["morning-brief"].prompt;
  const brief = (entry: string, tasks: string) =>
    converseWithDemo(prompt, ({ name }) => (name === "ls" ? `[{"name":"${entry}","type":"file"}]` : tasks));
  const { answer } = await brief("tasks.md", "- [x] Sow\n- [ ] Reap\n");
  expect(answer).toMatch(/1 task in `tasks\.md`.*\n\n- Reap\n\n.*1 file/s);
  const first = await brief("notes.md", "");
  expect(first.answer).toContain("There is no `tasks.md` yet");
  expect(first.calls.map(({ name }) => name)).toEqual(["ls"]);
});

test("the help names the phrases of the templates where the agent has their tools", async () => {
  const help = await converseWithDemo("Fly to the moon", () => "ok", offered);
  expect(help.answer).toContain("Write my morning brief");
  expect(help.answer).toContain("Watch this page: https://example.org");
  expect((await converseWithDemo("Fly to the moon")).answer).not.toContain("Watch this page");
});
