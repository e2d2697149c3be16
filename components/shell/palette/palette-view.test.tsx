import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { Role, Viewer } from "@/lib/schema/users/user";
import { withQueries } from "@/lib/testing/react/with-queries";
import { PaletteView } from "./palette-view";

const MORNING = "2026-01-01T08:00:00Z";
const NORA = {
  ...{ id: "usr_nora", name: "Nora Quinn", email: "nora@example.org", role: "member", groupRole: null },
  ...{ createdAt: MORNING, deactivatedAt: null, erasedAt: null },
};
const COMMON = { source: "builtin", offered: "always", parameters: {}, annotations: {} };
const COMPILE = { ...COMMON, name: "compile", description: "Reads what execute wrote." };
const EXECUTE = { ...COMMON, name: "execute", description: "Runs a command." };

let mayListPeople = false;

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string) => {
    const answers: Readonly<Record<string, unknown>> = {
      "/agents": { agents: [] },
      "/agents/tools/available": { tools: [COMPILE, EXECUTE] },
      ...(mayListPeople ? { "/api/users": { users: [NORA], nextCursor: null } } : {}),
      "/api/threads": { threads: [], nextCursor: null },
      "/api/projects": { projects: [], nextCursor: null },
      "/api/schedules": { schedules: [], nextCursor: null },
      "/api/boards": { boards: [], nextCursor: null },
      "/api/skills": { skills: [] },
    };
    const answer = answers[path.split("?")[0] ?? ""];
    if (answer === undefined) throw new Error(`Nobody asks for ${path}`);
    return Response.json(answer);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function searchAs(role: Role, words: string) {
  const viewer: Viewer = { id: "u", name: "Ada", email: "ada@example.org", role, scopes: ["read"] };
  mayListPeople = role === "admin";
  const go = vi.fn();
  const nothing = vi.fn();
  const does = { onTheme: nothing, onShowKeys: nothing, onChangePassword: nothing, onSignOut: nothing };
  render(
    <ShellProvider value={{ viewer, go, openPalette: nothing, setPageKeys: nothing }}>
      <PaletteView {...does} viewer={viewer} pageActions={[]} onClose={nothing} />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  fireEvent.change(screen.getByRole("combobox"), { target: { value: words } });
  return go;
}

it.each([
  ["execute", "Runs that called", "execute", "/traces?tool=execute"],
  ["nora", "Runs of", "Nora Quinn", "/traces?person=usr_nora"],
  ["example.org", "Runs of", "Nora Quinn", "/traces?person=usr_nora"],
])("finds what is called “%s” by its name", async (words, group, name, href) => {
  const go = searchAs("admin", words);
  const found = await screen.findByRole("group", { name: group });
  fireEvent.click(within(found).getByRole("option", { name: new RegExp(`^${name}`) }));
  expect(go).toHaveBeenCalledExactlyOnceWith(href);
});

it("says where nothing is found that nothing is, and searches the traces", async () => {
  const go = searchAs("member", "Zanzibar & sons");
  expect(await screen.findByText("Nothing is called “Zanzibar & sons”, and no thread contains it.")).toBeTruthy();
  fireEvent.click(screen.getByRole("option", { name: "Search traces for “Zanzibar & sons”" }));
  expect(go).toHaveBeenCalledExactlyOnceWith("/traces?q=Zanzibar+%26+sons");
});

it("puts what the search names before what it only describes", async () => {
  searchAs("member", "execute");
  const group = await screen.findByRole("group", { name: "Runs that called" });
  const names = within(group)
    .getAllByRole("option")
    .map(({ textContent }) => textContent);
  expect(names).toEqual(["executeRuns a command.", "compileReads what execute wrote."]);
});

it("asks for no list of people as a member", async () => {
  searchAs("member", "nora");
  expect(await screen.findByText("Nothing is called “nora”, and no thread contains it.")).toBeTruthy();
});
