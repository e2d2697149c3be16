import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { InboxList } from "./inbox-list";

afterEach(cleanup);

const BASE = { threadTitle: "Release", agentId: "a", agentName: "Assistant", waitingSince: new Date().toISOString() };
const APPROVALS: Approval[] = [
  {
    ...BASE,
    id: "1",
    runId: "r",
    threadId: "th_1",
    kind: "approval",
    toolCallId: "c",
    tool: "execute",
    args: { command: "npm publish" },
    runsIn: "/workspace, sandboxed",
    subagent: "writer",
    facts: { kind: "command", gist: "npm publish", question: "Run this command?" },
    source: { kind: "schedule", name: "Release sync" },
  },
  {
    ...BASE,
    id: "2",
    runId: "s",
    threadId: "th_2",
    kind: "question",
    toolCallId: "d",
    tool: "ask_user",
    args: {},
    questions: [{ question: "Fiscal or calendar?", options: ["Fiscal", "Calendar"] }],
  },
];

const NOTE: InboxNote = {
  id: "n1",
  kind: "schedule",
  title: "Paused after 3 failures",
  detail: "The key was refused.",
  source: "schedule Import",
  path: "/automations/schedules/trg1",
  createdAt: new Date().toISOString(),
};

it("shows what is asked, about what and from where, what needs the person first", () => {
  const onOpen = vi.fn();
  const totals = { approvals: 7, notes: 1 };
  render(<InboxList approvals={APPROVALS} notes={[NOTE]} totals={totals} openId="2" onOpen={onOpen} more={null} />);
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
    "Waiting for you 7",
    "To know 1",
  ]);
  const [first, second] = within(screen.getByRole("list", { name: "Waiting for you" })).getAllByRole("button");
  expect(first?.textContent).toMatch(
    /^Run this command\?.*execute · npm publishschedule Release sync · Assistant · subagent writer$/,
  );
  expect(second?.textContent).toMatch(/^Fiscal or calendar\?.*question · Fiscal, Calendarchat Release · Assistant$/);
  expect(second?.getAttribute("aria-current")).toBe("true");
  const note = within(screen.getByRole("list", { name: "To know" })).getByRole("button");
  expect(note.textContent).toMatch(/^Paused after 3 failures.*The key was refused\.schedule Import$/);
  fireEvent.click(note);
  expect(onOpen).toHaveBeenCalledWith("n1");
});
