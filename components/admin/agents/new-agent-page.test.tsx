import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { NewAgentPage } from "./new-agent-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("fetch", async () => Response.json({ valid: true, problems: [] }));
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function open() {
  const shell = { openMenu: vi.fn(), setPageKeys: vi.fn(), go: vi.fn() } as unknown as Shell;
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter>
      <Queries>
        <ShellProvider value={shell}>
          <NewAgentPage />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
  return screen.getByRole<HTMLInputElement>("textbox", { name: "Id" });
}

test("a reload keeps what was typed for a new agent, until it is begun again", () => {
  fireEvent.change(open(), { target: { value: "my-agent" } });
  cleanup();
  expect(open().value).toBe("my-agent");
  fireEvent.click(screen.getByRole("button", { name: "Begin again" }));
  cleanup();
  expect(open().value).toBe("");
  expect(screen.queryByRole("button", { name: "Begin again" })).toBeNull();
});
