import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { UserMenu } from "./user-menu";

afterEach(cleanup);

test("initials that are no part of the button's name are a picture, not its text", () => {
  const viewer = { id: "u", name: "Mara Xu", email: "mara@example.org", role: "member" as const, scopes: [] };
  const nothing = vi.fn();
  const does = { onTheme: nothing, onShowKeys: nothing, onChangePassword: nothing, onSignOut: nothing };
  render(<UserMenu {...does} viewer={viewer} theme="system" />);
  const button = screen.getByRole("button", { name: "User menu of Mara Xu, MX" });
  expect(within(button).getByText("MX").getAttribute("aria-hidden")).toBe("true");
});
