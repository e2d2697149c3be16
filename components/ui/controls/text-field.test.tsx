import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { TextField } from "./text-field";

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

function SignIn() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <>
      <TextField label="Email" autoFocus value={email} onChange={setEmail} />
      <TextField label="Password" value={password} onChange={setPassword} />
    </>
  );
}

it("keeps what is typed before the scripts come, and lets the focus be where it is", async () => {
  const page = document.createElement("div");
  page.innerHTML = renderToString(<SignIn />);
  document.body.append(page);
  const [email, password] = page.querySelectorAll("input");
  if (!email || !password) throw new Error("no fields");
  email.value = "ada@example.org";
  password.focus();
  password.value = "half a pass";
  const root = await act(async () => hydrateRoot(page, <SignIn />));
  expect([email.value, password.value]).toEqual(["ada@example.org", "half a pass"]);
  expect(document.activeElement).toBe(password);
  act(() => root.unmount());
});

it.each([
  ["", "This field is required."],
  ["ada", "Enter an address such as ada@example.org."],
])("says in words of ours what the browser finds wrong with %j", async (value, words) => {
  render(
    <form>
      <TextField label="Email" type="email" isRequired validationBehavior="native" value={value} onChange={vi.fn()} />
    </form>,
  );
  await act(async () => void screen.getByRole<HTMLInputElement>("textbox").form?.checkValidity());
  expect(screen.getByText(words)).toBeTruthy();
});

it("shows and hides what is wrong only while no pointer is down, so that no button moves under a click", async () => {
  function Email() {
    const [value, setValue] = useState("ada");
    return <TextField label="Email" type="email" validationBehavior="native" value={value} onChange={setValue} />;
  }
  render(
    <form>
      <Email />
    </form>,
  );
  const field = screen.getByRole<HTMLInputElement>("textbox");
  const words = "Enter an address such as ada@example.org.";
  await act(async () => void field.form?.checkValidity());
  expect(screen.getByText(words)).toBeTruthy();
  fireEvent.pointerDown(document.body);
  await act(async () => void fireEvent.change(field, { target: { value: "ada@example.org" } }));
  expect(screen.getByText(words)).toBeTruthy();
  fireEvent.pointerUp(document.body);
  await vi.waitFor(() => expect(screen.queryByText(words)).toBeNull());
});

it("lets a form be sent again whose field the server has refused", async () => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  function Form() {
    const [value, setValue] = useState("taken");
    const [isRefused, setRefused] = useState(false);
    return (
      <form
        onSubmit={(event) => {
          onSubmit(event);
          setRefused(true);
        }}
      >
        <TextField
          label="Id"
          isRequired
          value={value}
          onChange={setValue}
          isInvalid={isRefused}
          errorMessage="Taken."
        />
        <button type="submit">Save</button>
      </form>
    );
  }
  render(<Form />);
  const save = screen.getByRole("button", { name: "Save" });
  fireEvent.click(save);
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "free" } });
  fireEvent.click(save);
  expect(onSubmit).toHaveBeenCalledTimes(2);
});
