import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ProviderList } from "@/lib/schema/provider";
import { DemoModelNote } from "./chat-note";
import { hasRealModels } from "./pickers";

afterEach(cleanup);

function noteWith(isOpenAiConfigured: boolean): string | null {
  const provider = (id: string, configured: boolean) =>
    ({ id, configured, name: id, source: null, variable: null, models: [], problem: null }) as const;
  const list: ProviderList = {
    providers: [provider("openai", isOpenAiConfigured), provider("demo", true)],
    defaultModel: null,
  };
  return render(<DemoModelNote hasOthers={hasRealModels(list)} />).container.textContent;
}

test("the demo model says that it answers for want of a provider only where there is none", () => {
  expect(noteWith(false)).toContain("No provider is set up");
  expect(noteWith(true)).toContain("Choose another one below");
});
