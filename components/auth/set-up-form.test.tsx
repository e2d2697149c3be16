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
  expect(setUp).toHaveBeenLastCalledWith({ name, email, password, token });
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
