import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { typedAmount } from "@/lib/client/forms/typed";
import { type FormOptions, useForm } from "@/lib/client/forms/use-form";
import { ApiError } from "@/lib/client/http/api";
import { secret } from "@/lib/schema/new-secret";
import { withQueries } from "@/lib/testing/react/with-queries";
import { CheckListField } from "./check-list-field";
import { Field } from "./field";
import { FormDialog } from "./form-dialog";
import { SelectField } from "./select-field";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const Body = z.strictObject({
  name: z.string().trim().min(1),
  kind: z.enum(["small", "large"]),
  limits: z.strictObject({ runs: typedAmount(z.number().max(5).nullable()) }),
  tags: z.array(z.string().max(3)),
  token: secret(z.string()),
});
type Typed = z.input<typeof Body>;
const EMPTY: Typed = { name: "", kind: "small", limits: { runs: "1" }, tags: [], token: "" };
const KINDS = [
  { id: "small", name: "Small" },
  { id: "large", name: "Large" },
];

function Thing(options: Partial<FormOptions<Typed, z.output<typeof Body>, unknown>> & { onClose?: () => void }) {
  const { onClose = () => undefined, ...rest } = options;
  const form = useForm({ subject: "thing", schema: Body, initial: EMPTY, save: async () => undefined, ...rest });
  return (
    <FormDialog form={form} title="Thing" submitLabel="Save" onClose={onClose}>
      <Field of={form} name="name" label="Name" description="What it is called." />
      <SelectField of={form} name="kind" label="Kind" options={KINDS} />
      <Field of={form} name="limits.runs" label="Runs" />
      <CheckListField of={form} name="tags" label="Tags" options={[{ id: "long", name: "Long" }]} />
      <Field of={form} name="token" label="Token" />
      <output>{form.isDirty ? "changed" : "as opened"}</output>
    </FormDialog>
  );
}

const show = (props: Parameters<typeof Thing>[0] = {}) => render(<Thing {...props} />, { wrapper: withQueries() });
const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(box(label), { target: { value } });
const send = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
const described = (label: string) =>
  (box(label).getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);

it("sends what the schema makes of the text, and masks a secret", async () => {
  const save = vi.fn(async () => undefined);
  const onSaved = vi.fn();
  show({ save, onSaved });
  type("Name", " Lab ");
  type("Runs", "3");
  expect(box("Token").type).toBe("password");
  send();
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(save).toHaveBeenCalledWith(
    { name: "Lab", kind: "small", limits: { runs: 3 }, tags: [], token: "" },
    expect.anything(),
  );
});

it("shows each problem beside its field without asking the server, and focuses the first", async () => {
  const save = vi.fn(async () => undefined);
  show({ save });
  type("Runs", "9");
  send();
  await waitFor(() => expect(document.activeElement).toBe(box("Name")));
  expect(described("Name")).toEqual(["What it is called.", "Must not be empty."]);
  expect(described("Runs")).toEqual(["Must be at most 5."]);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(save).not.toHaveBeenCalled();
  type("Runs", "2");
  await waitFor(() => expect(box("Runs").getAttribute("aria-invalid")).toBeNull());
  expect(described("Name")).toContain("Must not be empty.");
});

const refusal = (...details: { path: string; message: string }[]) =>
  new ApiError("Some fields are wrong.", 400, "invalid_input", null, details);

it("puts what the server refuses beside its fields, and the rest below them", async () => {
  const problems = refusal(
    { path: "limits.runs", message: "are used up" },
    { path: "tags.0", message: "is unknown" },
    { path: "owner", message: "has left" },
  );
  const save = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(problems).mockResolvedValue(null);
  show({ save });
  type("Name", "Lab");
  send();
  expect((await screen.findByRole("alert")).textContent).toBe("owner: has left");
  expect(described("Runs")).toEqual(["Are used up."]);
  expect(document.activeElement).toBe(box("Runs"));
  expect(screen.getByText("0: Is unknown.")).toBeTruthy();
  send();
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2));
});

it("shows a refusal that names no field below them", async () => {
  show({ save: async () => Promise.reject(new ApiError("It is full.", 409, "conflict", null)) });
  type("Name", "Lab");
  send();
  expect((await screen.findByRole("alert")).textContent).toBe("It is full.");
});

it("brings back after a reload what was typed, without the secret, and knows that it is not saved", async () => {
  const { unmount } = show();
  expect(screen.getByText("as opened")).toBeTruthy();
  type("Name", "Lab");
  type("Runs", "3");
  type("Token", "s3cret");
  expect(screen.getByText("changed")).toBeTruthy();
  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("s3cret");
  show();
  expect([box("Name").value, box("Runs").value, box("Token").value]).toEqual(["Lab", "3", ""]);
  expect(screen.getByText("changed")).toBeTruthy();
  send();
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
});

it("forgets what was typed as it is closed", () => {
  const onClose = vi.fn();
  const { unmount } = show({ onClose });
  type("Name", "Lab");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  show();
  expect(box("Name").value).toBe("");
});

it("puts theirs beside mine after a conflict, takes them where I ask, and sends the rest as I typed it", async () => {
  const theirs: Typed = { ...EMPTY, name: "Theirs", kind: "large", limits: { runs: "4" } };
  const save = vi
    .fn<(body: unknown) => Promise<unknown>>()
    .mockRejectedValueOnce(new ApiError("It was saved.", 409, "conflict", null, "current"))
    .mockResolvedValue(null);
  show({ initial: { ...EMPTY, name: "Old" }, save, conflict: { name: "the thing", theirs: () => theirs } });
  type("Name", "Mine");
  type("Runs", "2");
  send();
  expect((await screen.findByRole("alert")).textContent).toContain("Another person saved the thing");
  expect([box("Name").value, box("Runs").value]).toEqual(["Mine", "2"]);
  fireEvent.click(screen.getByRole("button", { name: "Take theirs: Name" }));
  expect(box("Name").value).toBe("Theirs");
  expect(screen.queryByRole("button", { name: "Take theirs: Kind" })).toBeNull();
  send();
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  expect(save.mock.lastCall?.[0]).toMatchObject({ name: "Theirs", kind: "large", limits: { runs: 2 } });
});
