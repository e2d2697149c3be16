import { cleanup, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ToolsPage } from "./tools-page";

const SHELL = { setPageKeys: () => undefined } as unknown as Shell;

let extensions: unknown[] = [];

beforeEach(() => {
  extensions = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.startsWith("/api/extensions")) return Response.json({ extensions });
    if (path.startsWith("/agents/tools/available")) return Response.json({ tools: [] });
    return Response.json({ mcpServers: [], tools: [], httpTools: [] });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(searchParams: string) {
  render(
    <ShellProvider value={SHELL}>
      <NuqsTestingAdapter searchParams={searchParams} hasMemory>
        <ToolsPage viewerId="ada" />
      </NuqsTestingAdapter>
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}

it.each([
  ["", "Built-in"],
  ["?server=github", "MCP servers"],
  ["?tab=rules", "Rules"],
])("opens %s on %s", (address, tab) => {
  open(address);
  expect(screen.getByRole("tab", { selected: true }).textContent?.trim()).toBe(tab);
});

it("has a tab for extensions where there is one", async () => {
  open("");
  const tabs = () => screen.getAllByRole("tab").map(({ textContent }) => textContent?.trim());
  expect(tabs()).toEqual(["Built-in", "HTTP", "MCP servers", "Rules", "Grants"]);
  cleanup();
  extensions = [{ file: "guard.ts", name: "guard", kind: "hook", hash: "1", agents: [] }];
  open("");
  expect(await screen.findByRole("tab", { name: "Extensions" })).toBeTruthy();
  cleanup();
  extensions = [];
  open("?tab=extensions");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Extensions");
});
