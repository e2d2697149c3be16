import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import type { Question } from "@/lib/schema/runs/interrupt";
import { QuestionCard } from "./question-card";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function show(questions: Question[]) {
  const decide = vi.fn(async () => undefined);
  render(
    <DecisionsProvider value={{ decide, firstCall: callKey("run_1", "q"), asked: null }}>
      <QuestionCard runId="run_1" toolCallId="q" questions={questions} askedAtMs={1} isReady />
    </DecisionsProvider>,
  );
  return decide;
}

function sendButton() {
  return screen.getByRole("button", { name: /^Send/u });
}

describe("a question card", () => {
  it("sends one option, several options and text in question order", () => {
    const decide = show([
      { question: "Which year?", options: ["fiscal", "calendar"] },
      { question: "Which parts?", options: ["a", "b", "c"], multiple: true },
      { question: "Name?" },
    ]);
    fireEvent.click(screen.getByRole("radio", { name: "calendar" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "c" }));
    expect(sendButton()).toHaveProperty("disabled", true);
    fireEvent.click(screen.getByRole("checkbox", { name: "a" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Answer" }), { target: { value: " Mara " } });
    fireEvent.click(sendButton());
    expect(decide).toHaveBeenCalledExactlyOnceWith("run_1", {
      tool_call_id: "q",
      decision: "answer",
      answers: ["calendar", ["a", "c"], "Mara"],
    });
  });

  it("takes another answer instead of an option", () => {
    const decide = show([{ question: "Which year?", options: ["fiscal", "calendar"] }]);
    fireEvent.click(screen.getByRole("radio", { name: "fiscal" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Another answer" }), { target: { value: "lunar" } });
    expect(screen.getByRole("radio", { name: "fiscal" })).toHaveProperty("checked", false);
    fireEvent.click(sendButton());
    expect(decide).toHaveBeenCalledWith("run_1", expect.objectContaining({ answers: ["lunar"] }));
  });

  it("gives the focus back when the person answers after all", async () => {
    show([{ question: "Name?" }]);
    fireEvent.click(screen.getByRole("button", { name: "Don't answer" }));
    fireEvent.click(screen.getByRole("button", { name: "Back" }));
    const button = screen.getByRole("button", { name: "Don't answer" });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("keeps answers that are begun while it is out of sight, until they are sent", async () => {
    const questions = [{ question: "Which year?", options: ["fiscal", "calendar"] }, { question: "Name?" }];
    show(questions);
    fireEvent.click(screen.getByRole("radio", { name: "calendar" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Answer" }), { target: { value: "Ma" } });
    cleanup();
    const decide = show(questions);
    expect(screen.getByRole("radio", { name: "calendar" })).toHaveProperty("checked", true);
    expect(screen.getByRole("textbox", { name: "Answer" })).toHaveProperty("value", "Ma");
    fireEvent.click(sendButton());
    await waitFor(() => expect(sessionStorage.length).toBe(0));
    expect(decide).toHaveBeenCalledWith("run_1", expect.objectContaining({ answers: ["calendar", "Ma"] }));
  });

  it("can be left unanswered", () => {
    const decide = show([{ question: "Name?" }]);
    fireEvent.click(screen.getByRole("button", { name: "Don't answer" }));
    fireEvent.click(screen.getByRole("button", { name: "Deny" }));
    expect(decide).toHaveBeenCalledWith("run_1", { tool_call_id: "q", decision: "deny" });
  });
});
