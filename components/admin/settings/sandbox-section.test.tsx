import { QueryClient } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { statusQuery } from "@/lib/client/settings/settings-queries";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SandboxSection } from "./sandbox-section";

afterEach(cleanup);

const SHELL = { viewer: { id: "u1" }, go: vi.fn(), setPageKeys: vi.fn() } as unknown as Shell;
const WORKS: SandboxStatus = { available: true, reason: null, remedy: null };

function show(sandbox: SandboxStatus, dockerSandbox: SandboxStatus): void {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const about = { version: "1", publicUrl: "http://localhost", database: "sqlite" as const };
  client.setQueryData(statusQuery.queryKey, { ...about, sandbox, dockerSandbox, defaultModel: null, providers: [] });
  render(
    <ShellProvider value={SHELL}>
      <SandboxSection section={{ id: "sandbox", word: "Sandbox" }} />
    </ShellProvider>,
    { wrapper: withQueries(client) },
  );
}

test("each sandbox says whether it works", async () => {
  show(WORKS, WORKS);
  expect(await screen.findByText("bubblewrap works")).toBeDefined();
  expect(screen.getByText("Docker works")).toBeDefined();
  expect(screen.queryByText("What helps:")).toBeNull();
});

test("each says why it doesn't, and what helps", async () => {
  const bubblewrap = { available: false, reason: "bubblewrap is not installed.", remedy: "Install it." };
  const docker = { available: false, reason: "There is no Docker engine at /x.", remedy: "Start it." };
  show(bubblewrap, docker);
  expect(await screen.findByText("Commands can't run in bubblewrap")).toBeDefined();
  expect(screen.getByText("Commands can't run in containers")).toBeDefined();
  for (const text of [bubblewrap.reason, bubblewrap.remedy, docker.reason, docker.remedy]) {
    expect(screen.getByText(text)).toBeDefined();
  }
});

test("an image that is still to be pulled is a hint, not a fault", async () => {
  show(WORKS, { available: true, reason: null, remedy: "docker pull python" });
  expect(await screen.findByText("Docker works")).toBeDefined();
  expect(screen.getByText("docker pull python")).toBeDefined();
});

test("a machine without Docker is no fault while bubblewrap works", async () => {
  const docker = { available: false, reason: "There is no Docker engine at /x.", remedy: "Start it." };
  const hint = "Only agents whose backend.sandbox is docker need one.";
  show(WORKS, docker);
  expect(await screen.findByText(hint)).toBeDefined();
  expect(document.querySelector(".text-fail")).toBeNull();
  cleanup();
  show({ available: false, reason: "bubblewrap is not installed.", remedy: "Install it." }, docker);
  expect(await screen.findByText("Start it.")).toBeDefined();
  expect(screen.queryByText(hint)).toBeNull();
  expect(document.querySelectorAll(".text-fail")).toHaveLength(2);
});
