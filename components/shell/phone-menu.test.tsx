import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { PhoneMenu } from "./phone-menu";

afterEach(cleanup);

test.each([
  [true, "Light theme", "light"],
  [false, "Dark theme", "dark"],
] as const)("offers the theme that is not shown now, however the current one was chosen", (isDark, word, theme) => {
  const onTheme = vi.fn();
  const nothing = vi.fn();
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
  const does = { onTheme, onShowKeys: nothing, onChangePassword: nothing, onSignOut: nothing, onOpenPalette: nothing };
  render(<PhoneMenu {...does} viewer={viewer} theme="system" isDark={isDark} pathname="/" isOpen onClose={nothing} />);
  fireEvent.click(screen.getByRole("button", { name: word }));
  expect(onTheme).toHaveBeenCalledExactlyOnceWith(theme);
});
