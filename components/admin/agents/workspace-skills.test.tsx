import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { WorkspaceSkills } from "./workspace-skills";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("that the skills in one's files can't be read is said, and they can be asked for again", async () => {
  const replies = [
    Response.json({ error: { code: "internal", message: "The folder is gone." } }, { status: 500 }),
    Response.json({ skills: [], invalid: [{ path: "skills/pdf/SKILL.md", problem: "No name", agent_id: "a" }] }),
  ];
  vi.stubGlobal("fetch", async () => replies.shift());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<WorkspaceSkills />, { wrapper: withQueries(client) });
  expect((await screen.findByRole("alert")).textContent).toContain("The folder is gone.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("pdf");
});
