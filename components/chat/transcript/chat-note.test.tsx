import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { hasRealModels } from "@/components/chat/composer/pickers";
import type { ProviderList } from "@/lib/schema/provider";
import { DemoModelNote } from "./chat-note";

afterEach(cleanup);

function noteWith(isOpenAiConfigured: boolean): string | null {
  const rest = { variable: null, models: [], offered: [], problem: null, isDefault: false };
  const openai = { id: "openai", kind: "openai", name: "OpenAI", source: "environment", ...rest } as const;
  const demo = { id: "demo", kind: "demo", name: "Demo", source: "built-in", ...rest } as const;
  const providers = isOpenAiConfigured ? [openai, demo] : [demo];
  const list: ProviderList = { providers, defaultModel: null, nextCursor: null };
  return render(<DemoModelNote hasOthers={hasRealModels(list)} mayChoose isAdmin={false} />).container.textContent;
}

test("the demo model says that no provider is set up only when there is none", () => {
  expect(noteWith(false)).toContain("No provider is set up");
  expect(noteWith(true)).toContain("choose another model below");
});

test("only an administrator is led to where a model is connected", () => {
  const { rerender } = render(<DemoModelNote hasOthers={false} mayChoose={false} isAdmin={false} />);
  expect(screen.queryByRole("link")).toBeNull();
  rerender(<DemoModelNote hasOthers={false} mayChoose={false} isAdmin />);
  const link = screen.getByRole("link", { name: "Connect a model" });
  expect(link.getAttribute("href")).toBe("/admin/models?add=true");
});

test("where the agent allows no other model, an administrator is led to the default, and others are told whom to ask", () => {
  const { rerender, container } = render(<DemoModelNote hasOthers mayChoose={false} isAdmin={false} />);
  expect(container.textContent).toContain("Ask an administrator to choose a real one.");
  rerender(<DemoModelNote hasOthers mayChoose={false} isAdmin />);
  const link = screen.getByRole("link", { name: "Choose another default model" });
  expect(link.getAttribute("href")).toBe("/admin/models");
});
