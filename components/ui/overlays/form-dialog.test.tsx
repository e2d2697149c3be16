import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import { FormDialog, type FormDialogProps } from "./form-dialog";

afterEach(cleanup);

function show(props: Partial<FormDialogProps>) {
  const onSubmit = vi.fn();
  render(
    <FormDialog title="Create a key" submitLabel="Create key" onSubmit={onSubmit} onClose={() => undefined} {...props}>
      <input aria-label="Name" />
    </FormDialog>,
  );
  const form = screen.getByRole("textbox", { name: "Name" }).closest("form");
  return { onSubmit, form: form as HTMLFormElement, button: screen.getByRole("button", { name: "Create key" }) };
}

describe("a dialog with a form", () => {
  it("submits by Enter in a field, and its main button belongs to the form", () => {
    const { onSubmit, form, button } = show({});
    fireEvent.submit(form);
    expect(onSubmit).toHaveBeenCalledOnce();
    expect(button.getAttribute("form")).toBe(form.id);
    expect(button.getAttribute("type")).toBe("submit");
  });

  it.each([{ isValid: false }, { isPending: true }])("does not submit by Enter when %o", (state) => {
    const { onSubmit, form } = show(state);
    fireEvent.submit(form);
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it("takes two quick presses of Enter for one", () => {
    const { onSubmit, form } = show({});
    fireEvent.submit(form);
    fireEvent.submit(form);
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  it("submits by Ctrl or ⌘ with Enter where its button says so, and nowhere else", () => {
    const plain = show({});
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
    expect(plain.onSubmit).not.toHaveBeenCalled();
    cleanup();
    const { onSubmit, button } = show({ hasSubmitKeys: true });
    expect(button.textContent).toMatch(/^Create key (Ctrl |⌘)↵$/u);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  it("says why the last submit failed", () => {
    show({ error: new ApiError("There is a key of this name.", 409, "conflict", null) });
    expect(screen.getByRole("alert").textContent).toBe("There is a key of this name.");
  });
});
