import { afterEach, expect, test } from "vitest";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { startSettings } from "@/lib/server/settings/settings";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { explainStart } from "@/scripts/explain-failure";
import { reportStartFailure } from "./start-context";

afterEach(() => forgetProcessState("start-failure"));

test.each([
  ["retention", '{"traces":'],
  ["masking", '{"rules":7}'],
])(
  "settings of %s that can't be read end a start with their name and the way out, whatever Next makes of the error",
  async (section, value) => {
    const server = await startTestServer();
    const key = `settings:${section}`;
    await server.database.setting.create({ data: { key, value } });
    const failure = await startSettings(server.services).then(
      () => new Error("It started."),
      (error: Error) => error,
    );
    reportStartFailure(failure);
    failure.message = `An error occurred while loading instrumentation hook: ${failure.message}`;
    const said = explainStart(processState<unknown>("start-failure", () => null));
    expect(said).toMatch(
      new RegExp(
        `^Ringmaster can't start: the settings of ${section} in the database can't be read \\(.+\\)\\. Restore`,
      ),
    );
    expect(said).toContain(`"key" = '${key}'`);
    await server.database.setting.delete({ where: { key } });
    await server.close();
  },
);
