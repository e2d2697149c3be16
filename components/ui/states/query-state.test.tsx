import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import { QueryState } from "./query-state";

afterEach(cleanup);

const loading = { data: undefined, error: null, refetch: () => undefined };
const states = [
  ["what it loaded", { ...loading, data: "Two documents" }, "Two documents"],
  ["an error", { ...loading, error: new Error("The disk is full") }, "The things could not be loaded"],
] as const;

it.each(states)("shows %s only after a press that began before has ended", async (_, loaded, text) => {
  const list = (query: typeof loading | (typeof states)[number][1]) => (
    <QueryState what="things" query={query}>
      {(data: string) => <p>{data}</p>}
    </QueryState>
  );
  const { rerender } = render(list(loading));
  fireEvent.pointerDown(document.body);
  rerender(list(loaded));
  expect(screen.queryByText(text)).toBeNull();
  fireEvent.pointerUp(document.body);
  await waitFor(() => expect(screen.getByText(text)).toBeDefined());
  // What is shown stays, whatever is pressed.
  fireEvent.pointerDown(document.body);
  rerender(list(loaded));
  expect(screen.getByText(text)).toBeDefined();
});

it.each(states)("shows %s at once while nothing is pressed", (_, loaded, text) => {
  render(
    <QueryState what="things" query={loaded}>
      {(data: string) => <p>{data}</p>}
    </QueryState>,
  );
  expect(screen.getByText(text)).toBeDefined();
});

it("says what is gone, and that nothing is there yet, in the page's own words", () => {
  const gone = { ...loading, error: new ApiError("There is no such thing.", 404, "not_found", null) };
  const state = (query: { data: string[] | undefined; error: Error | null; refetch: () => undefined }) => (
    <QueryState what="things" query={query} unharmed="They keep running." gone={<p>Gone</p>} empty={<p>None yet</p>}>
      {(things) => <p>{things.join()}</p>}
    </QueryState>
  );
  const { rerender, container } = render(state(gone));
  expect(container.textContent).toBe("Gone");
  rerender(state({ ...loading, data: [] }));
  expect(container.textContent).toBe("None yet");
  rerender(state({ ...loading, data: ["one"] }));
  expect(container.textContent).toBe("one");
  rerender(state({ ...loading, error: new Error("The disk is full") }));
  expect(screen.getByRole("heading", { name: "The things could not be loaded. They keep running." })).toBeDefined();
});
