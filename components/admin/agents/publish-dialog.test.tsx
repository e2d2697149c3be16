import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentDraft } from "@/lib/client/agents/use-agent-draft";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DuplicateDialog } from "./duplicate-dialog";
import { PublishDialog } from "./publish-dialog";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

beforeEach(() => {
  const error = { code: "conflict", message: "Somebody else was faster." };
  vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 409 }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Page({ dialog }: { dialog: "publish" | "duplicate" }) {
  const [isOpen, setOpen] = useState(true);
  const state = { isOpen, onClose: () => setOpen(false) };
  const agent = { id: "a", version: 1, yaml: "name: A" } as AgentDetail;
  const draft = { text: "name: B", behind: null } as AgentDraft;
  return (
    <>
      {dialog === "publish" ? (
        <PublishDialog agent={agent} draft={draft} {...state} />
      ) : (
        <DuplicateDialog agentId="a" {...state} />
      )}
      <button type="button" onClick={() => setOpen(true)}>
        Again
      </button>
    </>
  );
}

test.each([
  ["publish", /^Publish v2$/u],
  ["duplicate", /^Duplicate$/u],
] as const)("the reason for a refusal is gone when it is opened again: %s", async (dialog, submit) => {
  render(<Page dialog={dialog} />, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: submit }));
  await screen.findByText("Somebody else was faster.");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  fireEvent.click(await screen.findByRole("button", { name: "Again" }));
  await screen.findByRole("button", { name: submit });
  expect(screen.queryByText("Somebody else was faster.")).toBeNull();
});
