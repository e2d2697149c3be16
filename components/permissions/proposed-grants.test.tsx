import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ProposedGrants } from "./proposed-grants";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const proposal = (pattern: string, more: object = {}) => ({
  ...{ id: `pp_${pattern}`, tool: "execute", pattern, scope: "command", calls: 24, people: 2, onlyBy: null },
  rule: { tool: "execute", args: {}, prefix: pattern },
  since: "2026-11-02T12:00:00.000Z",
  examples: [{ runId: "r", traceId: "t", spanId: "s", gist: pattern, startedAt: "2026-11-20T12:00:00.000Z" }],
  whatIf: { promptsSaved: 24, newlyAllowed: 24, deniedByPeople: 0 },
  ...more,
});

function show(proposals: readonly object[], allow: readonly unknown[] = []) {
  const onAccept = vi.fn();
  const fetched = vi.fn(async (url: string, init?: RequestInit) =>
    Response.json(init?.method === "PATCH" ? proposals[0] : url.includes("agentId=coder") ? { proposals } : {}),
  );
  vi.stubGlobal("fetch", fetched);
  render(<ProposedGrants agentId="coder" allow={allow} onAccept={onAccept} />, { wrapper: withQueries() });
  return { onAccept, fetched };
}

test("a proposal says how often, since when and what it would save, and is accepted into the draft", async () => {
  const { onAccept } = show([proposal("npm run build"), proposal("git log", { people: 1, onlyBy: "Mara Klein" })]);
  const rows = await screen.findAllByRole("listitem");
  expect(rows[0]?.textContent).toMatch(/^execute npm run build24 times since .*2 Nov.* · 24 prompts fewer/);
  expect(rows[1]?.textContent).toContain("only by Mara Klein");
  expect(screen.getAllByRole("link", { name: "newest call" })[0]?.getAttribute("href")).toContain("/traces/t?");
  fireEvent.click(screen.getByRole("button", { name: "Accept execute npm run build" }));
  expect(onAccept).toHaveBeenCalledExactlyOnceWith({ tool: "execute", args: {}, prefix: "npm run build" });
});

test("a dismissed one goes; the rest of many is shown on request", async () => {
  const { fetched } = show(["a", "b", "c", "d"].map((name) => proposal(`npm run ${name}`)));
  expect(await screen.findAllByRole("listitem")).toHaveLength(3);
  fireEvent.click(screen.getByRole("button", { name: "Show 1 more" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(4);
  fireEvent.click(screen.getByRole("button", { name: "Dismiss execute npm run a" }));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(3));
  expect(fetched.mock.calls.at(-1)?.[1]).toMatchObject({ method: "PATCH", body: '{"state":"dismissed"}' });
});

test("what the draft has already is not proposed, and without proposals nothing is there", async () => {
  const { fetched } = show([proposal("npm ci")], [{ tool: "execute", args: {}, prefix: "npm ci" }]);
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(screen.queryByText("Proposed grants")).toBeNull();
});
