import { readFileSync } from "node:fs";
import path from "node:path";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";

const SECRET = "correct horse battery staple";

/** A form, and what its test has to know of it. */
export interface KeptForm {
  readonly show: () => ReactNode;
  /** Each opens another choice of its fields. */
  readonly choices?: readonly (() => void)[];
  /** A reload starts over: the form asks for something, and saves nothing. */
  readonly isForgotten?: boolean;
  /** It is not closed, but left. */
  readonly isPage?: boolean;
  /** Labels of the fields that no browser may keep. */
  readonly secrets?: readonly string[];
  /** Labels of fields beside it that only try something out. */
  readonly trials?: readonly string[];
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function labelOf(control: Control): string {
  const label = control.labels?.[0] ?? document.querySelector(`label[for="${control.id}"]`);
  return label?.textContent ?? control.getAttribute("aria-label") ?? "";
}

function controlsOf({ trials = [] }: KeptForm): Control[] {
  const found = document.querySelectorAll<Control>(":is(form, main) :is(input, textarea)");
  return [...found].filter(
    (control) =>
      !["radio", "checkbox", "hidden", "search", "file"].includes(control.type) &&
      !(control.readOnly || control.disabled || trials.includes(labelOf(control))),
  );
}

/** Types a text of its own into each field, and returns what is in them by label. */
function fillIn(form: KeptForm): Map<string, string> {
  return new Map(
    controlsOf(form).map((control, index) => {
      const label = labelOf(control);
      const value = form.secrets?.includes(label) ? SECRET : `typed ${index}`;
      fireEvent.change(control, { target: { value } });
      return [label, value];
    }),
  );
}

function expectKept(texts: Iterable<string>): void {
  const kept = JSON.stringify({ ...sessionStorage, ...localStorage });
  expect(kept).not.toContain(SECRET);
  for (const text of texts) if (text !== SECRET) expect(kept).toContain(text);
}

function closeAll(): void {
  for (const cancel of screen.getAllByRole("button", { name: /^(Cancel|Close)$/, hidden: true })) {
    if (cancel.textContent !== "") fireEvent.click(cancel);
  }
}

/** A test: a reload keeps what was typed into each field, but no secret, until the form is closed. */
export function testKept(name: string, form: KeptForm, render: (form: ReactNode) => void): void {
  const { show, choices = [], isPage = false, isForgotten = false, secrets = [] } = form;
  test(`${name}: a reload keeps what was typed, but no secret, until it is closed`, () => {
    const seen = new Set<string>();
    const masked = new Set<string>();
    let filled = new Map<string, string>();
    const look = () => {
      for (const control of controlsOf(form).filter(({ type }) => type === "password")) masked.add(labelOf(control));
      filled = fillIn(form);
      for (const label of filled.keys()) seen.add(label);
      expectKept(isForgotten ? [] : filled.values());
    };
    render(show());
    look();
    for (const choose of choices) {
      choose();
      look();
    }
    // Each was on the page and was filled in; whatever is masked is one of them.
    expect([...seen]).toEqual(expect.arrayContaining([...secrets]));
    expect(secrets).toEqual(expect.arrayContaining([...masked]));
    cleanup();
    render(show());
    for (const control of isForgotten ? [] : controlsOf(form)) {
      const label = labelOf(control);
      expect(control.value).toBe(secrets.includes(label) ? "" : filled.get(label));
    }
    if (isPage) return;
    closeAll();
    expect(sessionStorage).toHaveLength(0);
  });
}

/** The components among `files` of `folder` that contain `text`, sorted. */
export function filesWith(text: string, folder: string, files: readonly string[]): string[] {
  const components = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  return components.filter((file) => readFileSync(path.join(folder, file), "utf8").includes(text)).toSorted();
}
