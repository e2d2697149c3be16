import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/api";
import { ApprovalCard, type ApprovalCardProps } from "./approval-card";
import { DecisionsProvider } from "./decisions-context";

afterEach(cleanup);

function show(change: Partial<ApprovalCardProps> = {}, decide = vi.fn(async () => undefined), first = "c1") {
  render(
    <DecisionsProvider value={{ decide, firstCallId: first }}>
      <ApprovalCard
        runId="run_1"
        toolCallId="c1"
        tool="execute"
        args={{ command: "npm publish --dry-run", timeout_ms: 5000 }}
        reason="The rule execute asks."
        askedAtMs={Date.now()}
        isReady
        {...change}
      />
    </DecisionsProvider>,
  );
  return decide;
}

function press(name: RegExp | string) {
  fireEvent.click(screen.getByRole("button", { name }));
}

describe("an approval card", () => {
  it("asks a question and shows the whole call and the rule", () => {
    show();
    const card = screen.getByRole("region", { name: "Approval: execute" });
    expect(screen.getByRole("heading").textContent).toBe("Run this command?");
    expect(card.textContent).toContain("$ npm publish --dry-run");
    expect(card.textContent).toContain('{"timeout_ms":5000}');
    expect(card.textContent).toContain("The rule execute asks.");
  });

  it("shows an edit as a diff, and an unknown tool's arguments as they are", () => {
    show({ tool: "edit_file", args: { path: "a.ts", old_text: "one", new_text: "two" } });
    expect(screen.getByRole("group", { name: "Changes in a.ts" }).textContent).toContain("two");
    cleanup();
    show({ tool: "send_mail", args: { to: "x@example.com" } });
    expect(screen.getByRole("group", { name: "Code, arguments.json" }).textContent).toContain("x@example.com");
  });

  it("allows once by the button and by y, and only once", async () => {
    const decide = show();
    fireEvent.keyDown(document, { key: "y" });
    expect(decide).toHaveBeenCalledExactlyOnceWith("run_1", { tool_call_id: "c1", decision: "allow", scope: "once" });
    fireEvent.keyDown(document, { key: "y" });
    expect(decide).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.getByRole("button", { name: /Allowing/u })).toHaveProperty("disabled", true));
  });

  it("leaves the keys to the first of several", () => {
    const decide = show({}, undefined, "another");
    fireEvent.keyDown(document, { key: "y" });
    expect(decide).not.toHaveBeenCalled();
    press("Allow once");
    expect(decide).toHaveBeenCalledOnce();
  });

  it("allows this exact call for the thread", () => {
    const decide = show();
    press("Allow this exact call");
    expect(decide).toHaveBeenCalledWith("run_1", { tool_call_id: "c1", decision: "allow", scope: "thread" });
  });

  it("denies with a reason after n", () => {
    const decide = show();
    fireEvent.keyDown(document, { key: "n" });
    const field = screen.getByRole("textbox", { name: /Why not/u });
    fireEvent.change(field, { target: { value: "Not today" } });
    press("Deny");
    expect(decide).toHaveBeenCalledWith("run_1", { tool_call_id: "c1", decision: "deny", reason: "Not today" });
  });

  it("sends edited arguments, and not while they are no JSON object", () => {
    const decide = show();
    press("Edit");
    const field = screen.getByRole("textbox", { name: "Arguments as JSON" });
    fireEvent.change(field, { target: { value: "[1]" } });
    expect(screen.getByRole("button", { name: "Allow as edited" })).toHaveProperty("disabled", true);
    fireEvent.change(field, { target: { value: '{"command":"ls"}' } });
    press("Allow as edited");
    expect(decide).toHaveBeenCalledWith("run_1", { tool_call_id: "c1", decision: "edit", args: { command: "ls" } });
  });

  it("says why the server refused, and can be pressed again", async () => {
    const refusal = new ApiError("The arguments don't fit the tool.", 400, "invalid_arguments", null);
    const decide = show(
      {},
      vi.fn(() => Promise.reject(refusal)),
    );
    press(/Allow once/u);
    expect((await screen.findByRole("alert")).textContent).toBe("The arguments don't fit the tool.");
    press(/Allow once/u);
    expect(decide).toHaveBeenCalledTimes(2);
  });

  it("can't be decided while its siblings are at work", () => {
    const decide = show({ isReady: false });
    fireEvent.keyDown(document, { key: "y" });
    expect(screen.queryByRole("button")).toBeNull();
    expect(decide).not.toHaveBeenCalled();
  });
});
