import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { setUp } from "@/lib/client/users/account";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SetUpForm } from "./set-up-form";

vi.mock("@/lib/client/users/account", () => ({ setUp: vi.fn(async () => new Promise(() => undefined)) }));

let root: Root | undefined;
afterEach(() => {
  act(() => root?.unmount());
  cleanup();
  document.body.replaceChildren();
  window.location.hash = "";
});

/** Shows the page as the server renders it, fills in its fields, and lets the scripts come. */
async function fillInEarly(typed: Readonly<Record<string, string>>) {
  const Queries = withQueries();
  const form = (
    <Queries>
      <SetUpForm />
    </Queries>
  );
  const page = document.createElement("div");
  page.innerHTML = renderToString(form);
  document.body.append(page);
  for (const [label, value] of Object.entries(typed)) screen.getByLabelText<HTMLInputElement>(label).value = value;
  screen.getByLabelText("Password").focus();
  root = await act(async () => hydrateRoot(page, form));
}

const ADA = { "Your name": "Ada", Email: "ada@example.org", Password: "a-long-password" };

async function expectSent(token: string) {
  await act(async () => fireEvent.submit(screen.getByRole("button", { name: "Set up Ringmaster" })));
  const [name, email, password] = Object.values(ADA);
  const budgets = { person_day_usd: 5 };
  expect(setUp).toHaveBeenLastCalledWith({ name, email, password, token, budgets });
}

it("takes the token from the link and keeps what was typed before the scripts came", async () => {
  window.location.hash = "#token=abc";
  await fillInEarly(ADA);
  expect(screen.queryByLabelText("Set-up token")).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  await expectSent("abc");
});

it("asks for the token without one in the link, and keeps what was typed", async () => {
  await fillInEarly(ADA);
  fireEvent.change(screen.getByLabelText("Set-up token"), { target: { value: "def" } });
  await expectSent("def");
});

it("suggests a budget a day for each person, and takes another or none", async () => {
  window.location.hash = "#token=abc";
  await fillInEarly(ADA);
  const day = screen.getByLabelText<HTMLInputElement>("Daily budget per person, in dollars");
  expect(day.value).toBe("5");
  fireEvent.change(day, { target: { value: "" } });
  fireEvent.change(screen.getByLabelText("Monthly budget, in dollars"), { target: { value: "$1,200.50" } });
  await act(async () => fireEvent.submit(screen.getByRole("button", { name: "Set up Ringmaster" })));
  expect(setUp).toHaveBeenLastCalledWith(expect.objectContaining({ budgets: { month_usd: 1_200.5 } }));
});

it("says at its field what is no amount", async () => {
  window.location.hash = "#token=abc";
  await fillInEarly(ADA);
  vi.mocked(setUp).mockClear();
  fireEvent.change(screen.getByLabelText("Monthly budget, in dollars"), { target: { value: "much" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Set up Ringmaster" })));
  expect(screen.getByText("Write a number, such as 12.50.")).toBeTruthy();
  expect(setUp).not.toHaveBeenCalled();
});
