import { expect, test } from "vitest";
import { converseWithDemo, DEMO_TOOLS } from "@/lib/testing/servers/converse-with-demo";

const offered = [...DEMO_TOOLS, "team_tasks"];
const ask = (text: string) => converseWithDemo(text, () => "ok", offered);

test("a lead writes a card for the researcher and one for the writer that comes after it", async () => {
  const { calls } = await ask(
    'You lead the board "Triage team". Its goal:\n\nSort what is known about honey bees, and write it down.\n\nWrite its cards with team_tasks, then end your turn.',
  );
  expect(calls.map(({ args }) => args)).toEqual([
    { action: "create", title: "Research honey bees", assignee: "researcher" },
    {
      action: "create",
      title: 'Create report.md with "What we know about honey bees"',
      assignee: "writer",
      depends_on: [1],
    },
  ]);
});

test("a member does what its card's title asks for, whatever else it is told", async () => {
  const { calls, answer } = await ask(
    'You work on card 2 of the board "Triage team".\n\n# Create report.md with "What we know"\n\nYour last message is the result.',
  );
  expect(calls[0]).toMatchObject({
    name: "write_file",
    args: { path: "report.md", content: expect.stringContaining("What we know") },
  });
  expect(answer).not.toBe("");
  const unknown = await ask(
    'You work on card 1 of the board "B".\n\n# Fly to the moon\n\nYour last message is the result.',
  );
  expect(unknown.answer).toContain("no rule for “Fly to the moon”");
});

test("a reviewer accepts, a lead answers a question and only notes a result", async () => {
  expect((await ask('You review card 1 of the board "B". Another member')).calls[0]?.args).toEqual({
    action: "accept",
  });
  const blocked = await ask('Card 3, "Count", is blocked: its member ann asks:\nWhich?');
  expect(blocked.calls[0]?.args).toMatchObject({ action: "answer", card: 3 });
  expect(await ask('Card 3, "Count", is done. Its result')).toMatchObject({
    calls: [],
    answer: "Noted: card 3 is done.",
  });
  expect((await ask("Add a card: research honey bees")).calls[0]?.args).toEqual({
    action: "create",
    title: "Research honey bees",
  });
});
