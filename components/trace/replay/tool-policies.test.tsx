import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useForm } from "@/lib/client/forms/use-form";
import { recordedForm, replaySchema } from "@/lib/client/trace/replay/replay-form";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { withQueries } from "@/lib/testing/react/with-queries";
import { CallChange } from "./call-change";
import { ToolPolicies } from "./tool-policies";

afterEach(cleanup);

const CALL = { toolCallId: "c1", step: 1, tool: "read_file", gist: "a.txt", result: "one", args: '{"path": "a.txt"}' };
const PLAN: ReplayPlan = {
  ...{ runId: "run", steps: 2, problem: null, message: null, systemPrompt: null, model: "m", models: [], version: 1 },
  ...{ versions: [], hasDraft: false, costUsd: null, workedMs: null, replays: [] },
  sandbox: { problem: null, files: 0, neverVersioned: 0 },
  calls: [CALL, { ...CALL, toolCallId: "c2" }],
  tools: [
    { name: "send_mail", inSandbox: false, readOnly: false },
    { name: "read_file", inSandbox: true, readOnly: true },
    { name: "lost", inSandbox: false, readOnly: null },
  ],
};

function Form({ change = {} }: { change?: object }) {
  const form = useForm({
    schema: replaySchema(PLAN),
    initial: { ...recordedForm(PLAN, 1), ...change },
    save: vi.fn(),
    onSaved: vi.fn(),
  });
  return (
    <>
      <CallChange plan={PLAN} form={form} />
      <ToolPolicies plan={PLAN} form={form} />
    </>
  );
}

const show = (change?: object) => render(<Form {...(change ? { change } : {})} />, { wrapper: withQueries() });

test("the tools that the recording calls come first, the others on request", () => {
  show();
  const rows = () => screen.getAllByRole("listitem", { hidden: true }).map(({ textContent }) => textContent);
  expect(rows()).toHaveLength(1);
  expect(rows()[0]).toMatch(/^read_file2 recorded/);
  fireEvent.click(screen.getByText("2 more that the recording does not call"));
  expect(rows()).toHaveLength(3);
});

test("what differs is counted and stays in sight, with the text that answers a tool", () => {
  show({ per: ["fixed", "", ""], fixed: ["No mail.", "", ""] });
  expect(screen.getByText("One by one (1 differs)")).toBeDefined();
  const [first] = screen.getAllByRole("listitem", { hidden: true });
  if (!first) throw new Error("A row is expected.");
  expect(first.textContent).toContain("send_mail");
  expect(within(first).getByLabelText<HTMLTextAreaElement>("Text that answers send_mail").value).toBe("No mail.");
});

test("other arguments of a call say that the recording has no result for them, until something answers", () => {
  const call = { callId: "c1", callPart: "args", args: "{}" };
  show(call);
  expect(screen.getByLabelText("Its arguments")).toBeDefined();
  expect(screen.getByText(/^The recording has no result for other arguments/)).toBeDefined();
  cleanup();
  show({ ...call, per: ["", "sandbox", ""] });
  expect(screen.queryByText(/^The recording has no result/)).toBeNull();
  cleanup();
  show({ callId: "c1", result: "one" });
  expect(screen.getByLabelText<HTMLTextAreaElement>("Its result").value).toBe("one");
});
