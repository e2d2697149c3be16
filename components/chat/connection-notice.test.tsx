import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import { ConnectionNotice } from "./connection-notice";

afterEach(cleanup);

test("a person signed out in mid-run reads so, and where to go", () => {
  const error = new ApiError("Sign in, or send an API key.", 401, "unauthorized", null);
  render(<ConnectionNotice isReconnecting={false} error={error} onRetry={vi.fn()} />);
  expect(screen.getByText("You are signed out")).toBeDefined();
  expect(screen.getByRole("button", { name: "Sign in" })).toBeDefined();
});

test("any other refusal is shown in its own words and can be retried", () => {
  const onRetry = vi.fn();
  const error = new ApiError("There is no such run.", 404, "not_found", null);
  render(<ConnectionNotice isReconnecting={false} error={error} onRetry={onRetry} />);
  expect(screen.getByText("There is no such run.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});
