import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ConnectionLine, type ConnectionLineProps } from "./connection-line";

afterEach(cleanup);

function said(props: ConnectionLineProps): string | null {
  render(<ConnectionLine {...props} />);
  return screen.getByRole("status").textContent;
}

test("nothing is said while the page is kept up to date", () => {
  expect(said({ connection: "connected", isOnline: true })).toBe("");
});

test("a person learns that the server is away, and that the page may be old", () => {
  expect(said({ connection: "lost", isOnline: true })).toBe(
    "The server does not answer. Trying again; what you see may be out of date.",
  );
});

test("without a network it says that, whatever else is wrong", () => {
  expect(said({ connection: "signed-out", isOnline: false })).toBe("You are offline. What you see may be out of date.");
});

test("somebody whose session has ended is led to sign in", () => {
  expect(said({ connection: "signed-out", isOnline: true })).toBe("You are signed out. Sign in");
  expect(screen.getByRole("button", { name: "Sign in" })).toBeTruthy();
});
