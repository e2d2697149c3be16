import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { AskOutcome } from "@/lib/schema/inbox/ask-outcome";
import type { QuestionData } from "@/lib/schema/messages/ui-message";
import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import { DecidedAsk } from "./decided-ask";

afterEach(cleanup);

const DECIDED = { toolCallId: "c1", requestedAtMs: 0, decidedAtMs: Date.now(), decidedBy: "Ana" } as const;
const BUDGET: BudgetAsk = {
  account: "agent:coder:run:run1",
  budgetId: null,
  scope: "agent",
  scopeId: "coder",
  name: "coder",
  period: "run",
  capUsd: 1,
  capTokens: null,
  spentUsd: 0.9,
  spentTokens: 900,
  reservedUsd: 0,
  reservedTokens: 0,
  nextUsd: 0.2,
  nextTokens: 4_096,
  raise: { by: "owner", maxUsd: null },
  raisers: [],
};
const QUESTION: QuestionData = {
  ...DECIDED,
  questions: [{ question: "Which year?" }],
  status: "answered",
  answers: ["2026"],
};
const CONNECT = { ...DECIDED, tool: "files__read", connect: { serverId: "files", host: null, lostSince: null } };
const CALL = { ...DECIDED, tool: "execute", args: { command: "ls" } };

function show(outcome: AskOutcome | null): string {
  const { container } = render(<DecidedAsk title="What was asked?" outcome={outcome} />);
  expect(screen.queryByRole("button")).toBeNull();
  return container.textContent;
}

it("shows the answers of questions, and who gave them where", () => {
  const text = show({ kind: "question", data: { ...QUESTION, decidedVia: "channel" } });
  expect(text).toContain("Which year?2026");
  expect(text).toContain("Answered by Ana, in a linked chat · now");
});

it("says what was added to a budget", () => {
  const data = { ...DECIDED, reason: "", budget: BUDGET, status: "approved", added: { add_usd: 2 } } as const;
  expect(show({ kind: "budget", data: { ...data, decidedVia: "inbox" } })).toMatch(/Added \$2.* by Ana, in the inbox/);
});

it("says that a connection was made, or refused and why", () => {
  expect(show({ kind: "connect", data: { ...CONNECT, status: "approved" } })).toContain("Connected to files by Ana");
  cleanup();
  const refused = show({ kind: "connect", data: { ...CONNECT, status: "denied", note: "Not there." } });
  expect(refused).toContain("Denied by Ana · now“Not there.”");
});

it("shows the call as a person changed it, and the model's below", () => {
  const data = { ...CALL, status: "edited", scope: "once", editedArgs: { command: "ls -a" } } as const;
  const text = show({ kind: "approval", data: { ...data, decidedVia: "push" } });
  expect(text).toContain("ls -a");
  expect(text).toContain("Edited and allowed once by Ana, from a notification");
  expect(text).toContain("What the model asked for");
});

it("says why an ask that was never decided is no longer open", () => {
  const { decidedBy: _, ...undecided } = CALL;
  expect(show({ kind: "approval", data: { ...undecided, status: "expired", decidedVia: "time" } })).toContain(
    "Expired: nobody decided in time",
  );
  cleanup();
  expect(show(null)).toContain("It no longer waits for you.");
});

it("takes the focus that the ask's button had, and leaves one that is elsewhere", () => {
  show(null);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("No longer waits: What was asked?");
  cleanup();
  const field = document.createElement("input");
  document.body.append(field);
  field.focus();
  show(null);
  expect(document.activeElement).toBe(field);
  field.remove();
});
