import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { beginThread, writeDraft } from "./drafts";
import { useArrival } from "./use-draft";

afterEach(cleanup);

function Field({ onText }: { onText: (text: string) => void }) {
  return <textarea ref={useArrival("th", onText)} />;
}

test("a person who keeps typing while the first message opens its thread types in that thread", () => {
  const onText = vi.fn();
  beginThread("th", "new:ada");
  writeDraft("new:ada", "and then");
  render(<Field onText={onText} />);
  expect(onText).toHaveBeenCalledExactlyOnceWith("and then");
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
});

test("a thread that was there before does not take the focus", () => {
  const onText = vi.fn();
  render(<Field onText={onText} />);
  expect(onText).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
});
