import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import { ApiError } from "@/lib/client/http/api";
import { ApprovalCard, type ApprovalCardProps } from "./approval-card";
import { QuestionCard } from "./question-card";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function show(change: Partial<ApprovalCardProps> = {}, decide = vi.fn(async () => undefined), first = "c1") {
  render(
    <DecisionsProvider value={{ decide, firstCall: callKey("run_1", first), asked: null }}>
      <ApprovalCard
        runId="run_1"
        toolCallId="c1"
        tool="execute"
        args={{ command: "npm publish --dry-run", timeout_ms: 5000 }}
        facts={{ kind: "command", gist: "npm publish --dry-run", question: "Run this command?" }}
        reason="Rule: ask before execute."
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
    const card = screen.getByRole("region", { name: /^Approval: execute/u });
    expect(screen.getByRole("heading").textContent).toBe("Run this command?");
    expect(card.textContent).toContain("$ npm publish --dry-run");
    expect(card.textContent).toContain('{"timeout_ms":5000}');
    expect(card.textContent).toContain("ReasonRule: ask before execute.");
  });

  it("shows an edit as a diff, and an unknown tool's arguments as they are", () => {
    show({ tool: "edit_file", args: { path: "a.ts", old_text: "one", new_text: "two" } });
    expect(screen.getByRole("group", { name: "Changes in a.ts" }).textContent).toContain("two");
    cleanup();
    show({ tool: "send_mail", args: { to: "x@example.com" } });
    expect(screen.getByRole("group", { name: "Code, arguments.json" }).textContent).toContain("x@example.com");
  });

  it("shows characters that would change what is read without being seen", () => {
    show({ args: { command: "cat \u202egnp.exe\u200b # \u001b[8m", note: "\u2066" } });
    expect(screen.getByRole("region").textContent).toContain("$ cat \\u202egnp.exe\\u200b # \\u001b[8m");
    expect(screen.getByRole("region").textContent).toContain('{"note":"\\\\u2066"}');
    cleanup();
    show({ tool: "write_file", args: { path: "a\u202e.ts", content: "one\r\n\ttwo\u2067" } });
    expect(screen.getByRole("region").textContent).toMatch(/a\\u202e\.tsone\s+two\\u2067/u);
  });

  it("allows once by the button and by y, and only once", async () => {
    const decide = show();
    fireEvent.keyDown(document, { key: "y" });
    expect(decide).toHaveBeenCalledExactlyOnceWith("run_1", { tool_call_id: "c1", decision: "allow", scope: "once" });
    fireEvent.keyDown(document, { key: "y" });
    expect(decide).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.getByRole("button", { name: /Allowing/u })).toHaveProperty("disabled", true));
  });

  it("shows and accepts Alt Y while a text field has the focus", () => {
    const decide = show();
    const field = document.createElement("textarea");
    document.body.append(field);
    act(() => field.focus());
    expect(screen.getByRole("button", { name: /^Allow once/u }).textContent).toContain("Alt y");
    fireEvent.keyDown(field, { key: "y" });
    expect(decide).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: "y", code: "KeyY", altKey: true });
    expect(decide).toHaveBeenCalledOnce();
    act(() => field.blur());
    field.remove();
  });

  it("ignores a key that is held down, which would allow the next call too", () => {
    const decide = show();
    fireEvent.keyDown(document, { key: "y", repeat: true });
    expect(decide).not.toHaveBeenCalled();
  });

  it.each(["Deny", "Edit"])("gives the focus back to %s when it is left again", async (name) => {
    show();
    press(new RegExp(`^${name}`, "u"));
    press("Back");
    const button = screen.getByRole("button", { name: new RegExp(`^${name}`, "u") });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it.each(["Deny", "Edit"])("Escape leaves the form of %s, whatever in it has the focus, and stops nothing", (name) => {
    const stop = vi.fn();
    const listen = (event: KeyboardEvent) => void (event.key === "Escape" && !event.defaultPrevented && stop());
    document.addEventListener("keydown", listen);
    show();
    for (const role of ["textbox", "button"] as const) {
      press(new RegExp(`^${name}`, "u"));
      const [inside] = screen.getAllByRole(role);
      if (inside) fireEvent.keyDown(inside, { key: "Escape" });
      expect(screen.getByRole("button", { name: /^Allow once/u })).toBeTruthy();
    }
    expect(stop).not.toHaveBeenCalled();
    document.removeEventListener("keydown", listen);
  });

  it("offers nothing once the agent was deleted, and says why and what to do", () => {
    const decide = vi.fn(async () => undefined);
    const base = { id: "1", runId: "run_1", threadId: "th", threadTitle: null, agentId: "a", agentName: "A" };
    const asked = { ...base, kind: "approval", toolCallId: "c1", tool: "execute", args: {}, waitingSince: "" } as const;
    render(
      <DecisionsProvider
        value={{ decide, firstCall: callKey("run_1", "c1"), asked: [{ ...asked, agentDeleted: true }] }}
      >
        <ApprovalCard runId="run_1" toolCallId="c1" tool="execute" args={{ command: "ls" }} askedAtMs={null} isReady />
        <QuestionCard runId="run_1" toolCallId="c1" questions={[{ question: "Which?" }]} askedAtMs={null} isReady />
      </DecisionsProvider>,
    );
    for (const key of ["y", "n"]) fireEvent.keyDown(document, { key });
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getAllByText(/^The agent that asked was deleted.* Stop it in the thread\.$/u)).toHaveLength(2);
    expect(screen.getByRole("textbox").closest("fieldset[disabled]")).not.toBeNull();
    expect(decide).not.toHaveBeenCalled();
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

  it("sends edited arguments, but not while they are not a JSON object", () => {
    const decide = show();
    press("Edit");
    const field = screen.getByRole("textbox", { name: "Arguments as JSON" });
    fireEvent.change(field, { target: { value: "[1]" } });
    expect(screen.getByRole("button", { name: "Allow as edited" })).toHaveProperty("disabled", true);
    fireEvent.change(field, { target: { value: '{"command":"ls"}' } });
    press("Allow as edited");
    expect(decide).toHaveBeenCalledWith("run_1", { tool_call_id: "c1", decision: "edit", args: { command: "ls" } });
  });

  it("keeps a reason and an edit that are begun while it is out of sight, and drops what is left by Back", () => {
    show();
    press(/^Deny/u);
    fireEvent.change(screen.getByRole("textbox", { name: /Why not/u }), { target: { value: "Not to" } });
    cleanup();
    show();
    press("Edit");
    fireEvent.change(screen.getByRole("textbox", { name: "Arguments as JSON" }), { target: { value: "{" } });
    cleanup();
    show();
    press(/^Deny/u);
    expect(screen.getByRole("textbox", { name: /Why not/u })).toHaveProperty("value", "Not to");
    press("Back");
    press("Edit");
    expect(screen.getByRole("textbox", { name: "Arguments as JSON" })).toHaveProperty("value", "{");
    press("Back");
    expect(sessionStorage).toHaveLength(0);
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

  it.each([
    ["rm -rf build && make", "it combines commands or lets the shell expand them"],
    ["'my tool' run", "its first words are not plain"],
  ])("says why commands like %s cannot be allowed", (command, reason) => {
    show({ args: { command }, facts: { kind: "command", gist: command } });
    expect(screen.queryByRole("button", { name: "Allow commands like this" })).toBeNull();
    expect(screen.getByText(`Commands like this cannot be allowed, because ${reason}.`)).toBeTruthy();
  });

  it("can't be decided while its siblings are running", () => {
    const decide = show({ isReady: false });
    fireEvent.keyDown(document, { key: "y" });
    expect(screen.queryByRole("button")).toBeNull();
    expect(decide).not.toHaveBeenCalled();
  });

  it("has no buttons where it can only be looked at, and says where it is decided", () => {
    render(
      <DecisionsProvider value={null}>
        <ApprovalCard runId="run_1" toolCallId="c1" tool="execute" args={{}} askedAtMs={null} isReady />
      </DecisionsProvider>,
    );
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByText(/decides this, in the thread or in the inbox/u)).toBeTruthy();
  });

  it("says where the call would run and when the ask expires", () => {
    show({ runsIn: "/workspace, sandboxed", expiresAt: new Date(Date.now() + 7_200_000).toISOString() });
    expect(screen.getByText("/workspace, sandboxed")).toBeTruthy();
    expect(screen.getByRole("region").textContent).toContain("expires in 2 h");
  });
});
