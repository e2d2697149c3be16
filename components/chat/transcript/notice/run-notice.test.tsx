import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { NoticeData } from "@/lib/schema/messages/ui-message";
import { RunNotice } from "./run-notice";

afterEach(cleanup);

function show(kind: NoticeData["kind"], text: string) {
  const onNextStep = vi.fn(() => new Promise(() => undefined));
  render(<RunNotice notice={{ kind, text }} traceHref="/traces/tr_1" onNextStep={onNextStep} />);
  return onNextStep;
}

describe("how a run ended", () => {
  it("says who stopped it", () => {
    const viewer = { id: "usr_1", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
    const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
    const titleFor = (stoppedBy?: { id: string; name?: string }) => {
      cleanup();
      render(
        <ShellProvider value={shell}>
          <RunNotice
            notice={{ kind: "cancelled", text: "" }}
            traceHref={null}
            onNextStep={null}
            {...(stoppedBy ? { stoppedBy } : {})}
          />
        </ShellProvider>,
      );
      return screen.getByRole("heading").textContent;
    };
    expect(titleFor({ id: "usr_1" })).toBe("Stopped by you");
    expect(titleFor({ id: "usr_2", name: "Grace" })).toBe("Stopped by Grace");
    expect([titleFor({ id: "usr_3" }), titleFor()]).toEqual(["The run was stopped", "The run was stopped"]);
  });

  it("does not claim to have kept what was never written", () => {
    const said = (isEmpty: boolean) => {
      cleanup();
      render(
        <RunNotice notice={{ kind: "cancelled", text: "" }} traceHref={null} onNextStep={null} isEmpty={isEmpty} />,
      );
      return document.body.textContent;
    };
    expect(said(false)).toContain("What was written so far is kept.");
    expect(said(true)).toContain("Nothing had been written.");
    expect(said(true)).not.toContain("kept");
  });

  it.each([
    ["limit", "Stopped at the limit", "Continue"],
    ["failed", "The run failed", "Retry"],
    ["cancelled", "The run was stopped", "Continue"],
    ["interrupted", "The server stopped during the run", "Continue"],
  ] as const)("is said, and the next step offered, which is taken once: %s", (kind, title, action) => {
    const onNextStep = show(kind, "Why.");
    expect(screen.getByRole("heading", { name: title })).toBeTruthy();
    const button = screen.getByRole("button", { name: action });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(onNextStep).toHaveBeenCalledOnce();
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText("Open trace").getAttribute("href")).toBe("/traces/tr_1");
  });

  it("has a title of its own in each case", () => {
    const titles = NoticeData.shape.kind.options.map((kind) => {
      cleanup();
      show(kind, "");
      return screen.getByRole("heading").textContent ?? "";
    });
    expect(titles).not.toContain("");
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each([
    ["text-call", "A tool call came as text", ["Continue"], undefined],
    ["cut", "The answer was cut short", ["Continue"], undefined],
    ["withheld", "The provider withheld the answer", ["Continue"], undefined],
    ["withheld", "The provider withheld the answer", ["Retry"], 1],
    ["empty", "The model gave no answer", ["Retry"], 1],
  ] as const)("offers the step that the server takes: %s, %s, %o", (kind, title, steps, retryStep) => {
    render(<RunNotice notice={{ kind, text: "Why.", retryStep }} traceHref={null} onNextStep={vi.fn()} />);
    expect(screen.getByRole("heading", { name: title })).toBeTruthy();
    expect(screen.getAllByRole("button")).toEqual(steps.map((name) => screen.getByRole("button", { name })));
  });

  it("says of each next step what it does", () => {
    const sentenceOf = (name: string) => {
      const id = screen.getByRole("button", { name }).getAttribute("aria-describedby") ?? "";
      return document.getElementById(id)?.textContent;
    };
    const showFailed = (retryStep: number | undefined, traceHref: string | null) => {
      cleanup();
      const notice = { kind: "failed" as const, text: "Why.", retryStep };
      render(<RunNotice notice={notice} traceHref={traceHref} onNextStep={vi.fn(async () => undefined)} />);
    };
    showFailed(4, "/traces/tr_1");
    expect(sentenceOf("Retry")).toBe("Repeats the same request.");
    expect(sentenceOf("Continue")).toBe("Carries on from here. You can send a message instead.");
    showFailed(4, null);
    expect(sentenceOf("Retry")).toMatch(/^Builds the same request again, because this run has no trace\./u);
    showFailed(undefined, "/traces/tr_1");
    expect(sentenceOf("Retry")).toMatch(/^Carries on after the last finished step/u);
  });

  it("offers neither where the steps are no longer recorded, and says why", () => {
    const notice = { kind: "failed" as const, text: "Why." };
    render(<RunNotice notice={notice} traceHref={null} onNextStep={vi.fn(async () => undefined)} isJournalGone />);
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByText(/no longer recorded, so it cannot be continued or retried\. Send a message/u)).toBeTruthy();
  });

  it.each(["failed", "cancelled", "interrupted"] as const)("offers Retry beside Continue: %s", (kind) => {
    const onNextStep = show(kind, "Why.");
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(onNextStep).toHaveBeenCalledExactlyOnceWith("retry");
  });

  it("is titled by the cause of a failure, and says below it what to do", () => {
    show("failed", 'LLM call: The provider x refused the API key (401). Check X_API_KEY. It said: "No."');
    expect(screen.getByRole("heading", { name: "The provider x refused the API key (401)" })).toBeTruthy();
    expect(screen.getByText('Check X_API_KEY. It said: "No."')).toBeTruthy();
  });

  it("offers no Retry where the same request fails again, but the way to its cause for those who may remove it", () => {
    const showTo = (role: "admin" | "member") => {
      cleanup();
      const viewer = { id: "usr_1", name: "Ada", email: "ada@example.org", role, scopes: [] };
      const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
      const text = "The provider lab refused the API key (401). Check LAB_KEY.";
      const cause = { kind: "key_refused" as const, provider: "lab" };
      const notice = { kind: "failed" as const, text, error: { code: "model_failed", message: text, cause } };
      render(
        <ShellProvider value={shell}>
          <RunNotice notice={notice} traceHref={null} onNextStep={vi.fn(async () => undefined)} />
        </ShellProvider>,
      );
      const names = (role: string) => screen.queryAllByRole(role).map(({ textContent }) => textContent);
      return [names("link"), screen.queryAllByRole("button").length];
    };
    expect(showTo("admin")).toEqual([["Check its key"], 2]);
    expect(showTo("member")).toEqual([[], 2]);
    expect(screen.getByRole("button", { name: "Continue" })).toBeTruthy();
  });

  it("keeps the plain title where the cause is too long for one", () => {
    const text = `The provider broke off ${"again and ".repeat(9)}again.`;
    show("failed", text);
    expect(screen.getByRole("heading", { name: "The run failed" })).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
  });
});
