import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { hasRealModels } from "@/components/chat/composer/pickers";
import type { ProviderList } from "@/lib/schema/provider";
import { DemoModelNote } from "./chat-note";

afterEach(cleanup);

function noteWith(isOpenAiConfigured: boolean): string | null {
  const rest = { source: null, variable: null, models: [], problem: null };
  const providers: ProviderList["providers"] = [
    { id: "openai", name: "OpenAI", configured: isOpenAiConfigured, ...rest },
    { id: "demo", name: "Demo", configured: true, ...rest },
  ];
  const list: ProviderList = { providers, defaultModel: null };
  return render(<DemoModelNote hasOthers={hasRealModels(list)} />).container.textContent;
}

test("the demo model says that no provider is set up only when there is none", () => {
  expect(noteWith(false)).toContain("No provider is set up");
  expect(noteWith(true)).toContain("choose another model below");
});
