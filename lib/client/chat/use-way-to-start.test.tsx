import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { EarlierMessages } from "./use-earlier-messages";
import { useWayToStart } from "./use-way-to-start";

afterEach(cleanup);

type State = EarlierMessages["state"];

function Place({ state, fetchAhead, arrive }: { state: State; fetchAhead: () => void; arrive: () => void }) {
  const { isOnWay, onKeyDown, end } = useWayToStart({ state, fetchAhead }, arrive);
  return (
    <section aria-label="Place" onKeyDown={onKeyDown} onWheel={end}>
      <input />
      {isOnWay ? "on the way" : "here"}
    </section>
  );
}

function showPlace(first: State) {
  const fetchAhead = vi.fn();
  const arrive = vi.fn();
  const place = (state: State) => <Place state={state} fetchAhead={fetchAhead} arrive={arrive} />;
  const { rerender } = render(place(first));
  return { fetchAhead, arrive, become: (state: State) => act(() => rerender(place(state))) };
}

const place = () => screen.getByRole("region", { name: "Place" });

test("after Home every page is asked for until the first message is there, which is then shown", () => {
  const { fetchAhead, arrive, become } = showPlace("more");
  fireEvent.keyDown(place(), { key: "Home" });
  expect(fetchAhead).toHaveBeenCalledTimes(1);
  become("loading");
  become("more");
  expect(fetchAhead).toHaveBeenCalledTimes(2);
  expect(arrive).not.toHaveBeenCalled();
  become("all");
  expect(arrive).toHaveBeenCalledOnce();
  expect(place().textContent).toBe("here");
});

test("scrolling, another key and a failure end it", () => {
  const { fetchAhead, arrive, become } = showPlace("more");
  fireEvent.keyDown(place(), { key: "Home" });
  fireEvent.wheel(place());
  expect(place().textContent).toBe("here");
  fireEvent.keyDown(place(), { key: "Home" });
  fireEvent.keyDown(place(), { key: "PageDown" });
  expect(place().textContent).toBe("here");
  fireEvent.keyDown(place(), { key: "Home" });
  become("failed");
  become("more");
  expect(place().textContent).toBe("here");
  expect(fetchAhead).toHaveBeenCalledTimes(3);
  expect(arrive).not.toHaveBeenCalled();
});

test("Home in a field and in a thread that is there as a whole is left to the browser", () => {
  const { fetchAhead, become } = showPlace("more");
  fireEvent.keyDown(screen.getByRole("textbox"), { key: "Home" });
  become("none");
  fireEvent.keyDown(place(), { key: "Home" });
  expect(place().textContent).toBe("here");
  expect(fetchAhead).not.toHaveBeenCalled();
});
