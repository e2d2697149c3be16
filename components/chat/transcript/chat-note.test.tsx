import { cleanup, render } from "@testing-library/react";
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
  return render(<DemoModelNote hasOthers={hasRealModels(list)} />).container.textContent;
}

test("the demo model says that no provider is set up only when there is none", () => {
  expect(noteWith(false)).toContain("No provider is set up");
  expect(noteWith(true)).toContain("choose another model below");
});
