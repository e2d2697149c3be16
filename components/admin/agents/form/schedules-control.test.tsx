import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { SchedulesControl } from "./schedules-control";

afterEach(cleanup);

const AS_YAML = "The schedules as YAML";

/** Beside it, a field changes the same schedules otherwise, as the YAML does. */
function renderSchedules(initial: unknown) {
  const onChange = vi.fn();
  function Harness() {
    const aria = { "aria-describedby": undefined, "aria-invalid": undefined };
    const [value, setValue] = useState<unknown>(initial);
    const change = (next: unknown) => {
      onChange(next);
      setValue(next);
    };
    return (
      <>
        <SchedulesControl id="schedules" before={[]} fallback={[]} aria={aria} value={value} onChange={change} />
        <input aria-label={AS_YAML} onChange={({ target }) => setValue(JSON.parse(target.value))} />
      </>
    );
  }
  render(<Harness />);
  return () => onChange.mock.lastCall?.[0];
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("a schedule is added in words, and what the form does not show stays", () => {
  const brief = { name: "Brief", cron: "0 9 * * 1-5", prompt: "Brief me.", overlap: "queue" };
  const last = renderSchedules([brief]);
  expect(screen.getByLabelText("Schedule 1, when")).toHaveProperty("value", "weekdays at 09:00");
  type("Schedule 1, when", "every 2 h");
  expect(last()).toEqual([{ name: "Brief", every: "2h", prompt: "Brief me.", overlap: "queue" }]);
  fireEvent.click(screen.getByRole("button", { name: "Add a schedule" }));
  type("Schedule 2, name", "Sums");
  type("Schedule 2, prompt", "Calculate.");
  expect(last()?.[1]).toEqual({ name: "Sums", cron: "0 9 * * 1-5", prompt: "Calculate." });
  fireEvent.click(screen.getByRole("button", { name: "Remove schedule 1" }));
  fireEvent.click(screen.getByRole("button", { name: "Remove schedule 1" }));
  expect(last()).toBeUndefined();
});

test("words that are not understood stay in the field, and the time as it was", () => {
  const last = renderSchedules([{ name: "Brief", cron: "0 9 * * 1-5", prompt: "x" }]);
  type("Schedule 1, when", "every week");
  expect(screen.getByText(/Not understood yet/)).toBeTruthy();
  expect([screen.getByLabelText("Schedule 1, when")]).toMatchObject([{ value: "every week" }]);
  expect(last()).toBeUndefined();
  type("Schedule 1, when", "every weekend at 10");
  expect(last()).toEqual([{ name: "Brief", cron: "0 10 * * 0,6", prompt: "x" }]);
  expect(screen.getByLabelText("Schedule 1, when")).toHaveProperty("value", "every weekend at 10");
});

test("words that are not understood leave with their schedule, though the next has the same time", () => {
  renderSchedules([
    { name: "Brief", cron: "0 9 * * 1-5", prompt: "x" },
    { name: "Sums", cron: "0 9 * * 1-5", prompt: "y" },
    { name: "Post", cron: "0 9 * * 1-5", prompt: "z" },
  ]);
  type("Schedule 1, when", "every week");
  type("Schedule 3, when", "now and then");
  fireEvent.click(screen.getByRole("button", { name: "Remove schedule 1" }));
  expect(screen.getByLabelText("Schedule 1, when")).toHaveProperty("value", "weekdays at 09:00");
  expect(screen.getByLabelText("Schedule 2, when")).toHaveProperty("value", "now and then");
});

test("words that are not understood do not stand in a new schedule after theirs was removed from the YAML", () => {
  renderSchedules([]);
  fireEvent.click(screen.getByRole("button", { name: "Add a schedule" }));
  type("Schedule 1, when", "every wek");
  type(AS_YAML, "[]");
  fireEvent.click(screen.getByRole("button", { name: "Add a schedule" }));
  expect(screen.getByLabelText("Schedule 1, when")).toHaveProperty("value", "weekdays at 09:00");
});
