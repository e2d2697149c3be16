import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProviderList } from "@/lib/schema/provider";
import { withQueries } from "@/lib/testing/react/with-queries";
import { AddProviderDialog } from "./providers/add-provider-dialog";
import { ModelDefaultsDialog } from "./providers/model-defaults-dialog";
import { AddKeyDialog } from "./users/add-key-dialog";
import { AddUserDialog } from "./users/add-user-dialog";
import { InviteDialog } from "./users/invite-dialog";

const SECRET = "correct horse battery staple";
const nothing = () => undefined;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ groups: [], agents: [], nextCursor: null }));
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

interface Case {
  readonly dialog: (onClose: () => void) => ReactNode;
  /** What is typed, by the field's label. */
  readonly typed: Readonly<Record<string, string>>;
  readonly secret?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "a user's account": {
    dialog: (onClose) => <AddUserDialog onClose={onClose} />,
    typed: { Name: "Grace", Email: "grace@example.test" },
    secret: "First password",
  },
  "an invitation": {
    dialog: (onClose) => <InviteDialog onClose={onClose} />,
    typed: { Email: "grace@example.test" },
  },
  "an API key": {
    dialog: (onClose) => <AddKeyDialog scopes={["read", "chat"]} onClose={onClose} />,
    typed: { Name: "Nightly import" },
  },
  "a provider": {
    dialog: (onClose) => <AddProviderDialog shadowed={null} onAdded={nothing} onClose={onClose} />,
    typed: { "Base URL": "http://gpu-01:8000/v1", Name: "Lab", Id: "lab" },
    secret: "Key",
  },
};

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

for (const [what, { dialog, typed, secret }] of Object.entries(CASES)) {
  test(`a reload keeps what was typed for ${what}, but no secret, and Cancel forgets it`, () => {
    const onClose = vi.fn();
    const { unmount } = render(dialog(onClose), { wrapper: withQueries() });
    for (const [label, text] of Object.entries(typed)) fireEvent.change(field(label), { target: { value: text } });
    if (secret) fireEvent.change(field(secret), { target: { value: SECRET } });
    unmount();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(SECRET);

    const { unmount: leave } = render(dialog(onClose), { wrapper: withQueries() });
    for (const [label, text] of Object.entries(typed)) expect(field(label).value).toBe(text);
    if (secret) expect(field(secret).value).toBe("");
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onClose).toHaveBeenCalledOnce();
    leave();

    render(dialog(onClose), { wrapper: withQueries() });
    for (const label of Object.keys(typed)) expect(field(label).value).toBe("");
  });
}

test("a reload keeps the order of fallbacks that was chosen", () => {
  const offered = ["a", "b", "c"];
  const list: ProviderList = {
    providers: [
      {
        id: "lab",
        kind: "openai-compatible",
        name: "Lab",
        source: "database",
        variable: null,
        models: [],
        offered,
        problem: null,
        isDefault: true,
      },
    ],
    defaultModel: "lab:a",
    nextCursor: null,
  };
  const defaults = { model: "lab:a", resolved: "lab:a", fallbacks: ["lab:b", "lab:c"], fixedBy: null };
  const dialog = <ModelDefaultsDialog list={list} defaults={defaults} onClose={nothing} />;
  const { unmount } = render(dialog, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: "Ask lab:c earlier" }));
  unmount();
  render(dialog, { wrapper: withQueries() });
  expect(screen.getByRole("button", { name: /If it fails/ }).textContent).toContain("lab:c");
});
