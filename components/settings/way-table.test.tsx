import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NO_NOTIFICATIONS } from "@/lib/schema/users/notification";
import { WayTable } from "./way-table";

afterEach(cleanup);

const { ways, how } = NO_NOTIFICATIONS;
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

test("without a linked chat the head of Channel leads to where one links it, and its boxes are off", () => {
  render(<WayTable ways={ways} how={how} onHow={vi.fn()} can={{ email: true, channel: false }} onChange={vi.fn()} />);
  expect(screen.getByRole("link", { name: "Channel" }).getAttribute("href")).toBe("/settings/channels");
  expect(box("A run failed: Channel").disabled).toBe(true);
  expect(box("A run failed: Email").disabled).toBe(false);
});

test("a linked chat can be chosen for each kind", () => {
  const onChange = vi.fn();
  render(<WayTable ways={ways} how={how} onHow={vi.fn()} can={{ email: false, channel: true }} onChange={onChange} />);
  expect(screen.queryByRole("link")).toBeNull();
  fireEvent.click(box("Needs my decision: Channel"));
  expect(onChange).toHaveBeenCalledWith("decision", "channel", true);
  expect(box("A run failed: Email").disabled).toBe(true);
});

test("a choice whose chat was unlinked can still be taken back", () => {
  const onChange = vi.fn();
  const chosen = { ...ways, failed: { ...ways.failed, channel: true } };
  render(<WayTable ways={chosen} how={how} onHow={vi.fn()} can={{ channel: false }} onChange={onChange} />);
  fireEvent.click(box("A run failed: Channel"));
  expect(onChange).toHaveBeenCalledWith("failed", "channel", false);
});

test("a kind can be sent together, once a day", async () => {
  const onHow = vi.fn();
  render(<WayTable ways={ways} how={{ board: "daily" }} onHow={onHow} can={{}} onChange={vi.fn()} />);
  expect(screen.getByRole("button", { name: "together, once a day How: A board is done" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "at once How: A run finished" }));
  fireEvent.click(await screen.findByRole("option", { name: "together, once a day" }));
  expect(onHow).toHaveBeenCalledWith("finished", "daily");
});
