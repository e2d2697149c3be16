import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import { withQueries } from "@/lib/testing/react/with-queries";
import { AccountForm } from "./account-form";

afterEach(cleanup);

const FIELDS = [
  { name: "email", label: "Email", type: "email" },
  { name: "password", label: "Password", type: "password" },
] as const;

function show(onSubmit: (values: { email: string; password: string }) => Promise<void>) {
  const onDone = vi.fn();
  render(<AccountForm fields={FIELDS} action="Sign in" onSubmit={onSubmit} onDone={onDone} />, {
    wrapper: withQueries(),
  });
  fireEvent.change(screen.getByLabelText("Email"), { target: { value: "mk@example.test" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "a-long-password" } });
  // Enter is easily pressed twice.
  fireEvent.submit(screen.getByRole("button", { name: "Sign in" }));
  fireEvent.submit(screen.getByRole("button", { name: "Sign in" }));
  return onDone;
}

test("sends what was typed, once", async () => {
  const onSubmit = vi.fn(async () => {});
  const onDone = show(onSubmit);
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ email: "mk@example.test", password: "a-long-password" });
});

test("nothing is sent again while the page that comes next takes its time", async () => {
  const onSubmit = vi.fn(async () => {});
  const onDone = show(onSubmit);
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  const button = screen.getByRole("button", { name: "Sign in" });
  await act(async () => fireEvent.submit(button));
  expect(onSubmit).toHaveBeenCalledOnce();
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

test("a refusal is said above the button", async () => {
  const onDone = show(async () => {
    throw new ApiError("The email or the password is wrong.", 401, "unauthorized", "req_1");
  });
  expect((await screen.findByRole("alert")).textContent).toBe("The email or the password is wrong.");
  expect(onDone).not.toHaveBeenCalled();
});

test("shows the problem of a field at the field", async () => {
  show(async () => {
    throw new ApiError("email: is taken", 409, "conflict", null, [{ path: "email", message: "is taken" }]);
  });
  expect(await screen.findByText("is taken")).toBeTruthy();
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
});

test("without scripts the password would not land in the address", () => {
  show(async () => {});
  expect(document.querySelector("form")?.getAttribute("method")).toBe("post");
});

test("in a dialog there is a way out that sends nothing", () => {
  const [onSubmit, onCancel] = [vi.fn(async () => {}), vi.fn()];
  render(<AccountForm fields={FIELDS} action="Add user" onSubmit={onSubmit} onDone={vi.fn()} onCancel={onCancel} />, {
    wrapper: withQueries(),
  });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalledOnce();
  expect(onSubmit).not.toHaveBeenCalled();
});
