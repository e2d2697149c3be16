import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NO_NOTIFICATIONS } from "@/lib/schema/users/notification";
import { WayTable } from "./way-table";

afterEach(cleanup);

const { ways } = NO_NOTIFICATIONS;
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

test("without a linked chat the head of Channel leads to where one links it, and its boxes are off", () => {
  render(<WayTable ways={ways} can={{ email: true, channel: false }} onChange={vi.fn()} />);
  expect(screen.getByRole("link", { name: "Channel" }).getAttribute("href")).toBe("/settings/channels");
  expect(box("A run failed: Channel").disabled).toBe(true);
  expect(box("A run failed: E-mail").disabled).toBe(false);
});

test("a linked chat can be chosen for each kind", () => {
  const onChange = vi.fn();
  render(<WayTable ways={ways} can={{ email: false, channel: true }} onChange={onChange} />);
  expect(screen.queryByRole("link")).toBeNull();
  fireEvent.click(box("Needs my decision: Channel"));
  expect(onChange).toHaveBeenCalledWith("decision", "channel", true);
  expect(box("A run failed: E-mail").disabled).toBe(true);
});

test("a choice whose chat was unlinked can still be taken back", () => {
  const onChange = vi.fn();
  const chosen = { ...ways, failed: { ...ways.failed, channel: true } };
  render(<WayTable ways={chosen} can={{ channel: false }} onChange={onChange} />);
  fireEvent.click(box("A run failed: Channel"));
  expect(onChange).toHaveBeenCalledWith("failed", "channel", false);
});
