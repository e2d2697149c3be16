import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import { type RecordingServer, startRecordingServer } from "@/lib/testing/servers/recording-server";

let server: RecordingServer | undefined;
afterEach(() => server?.close());

/** Errors that a provider reports inside a stream that began with status 200. */
describe("an error inside a stream", () => {
  it.each([
    [
      "anthropic",
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "anthropic is overloaded (529)",
      2,
    ],
    [
      "anthropic",
      { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
      "refused the API key (401). Check ANTHROPIC_API_KEY.",
      1,
    ],
    [
      "openai",
      {
        type: "error",
        sequence_number: 0,
        error: { type: "x", code: "insufficient_quota", message: "You exceeded your quota", param: null },
      },
      "openai has no credit left",
      1,
    ],
    [
      "openai",
      {
        type: "error",
        sequence_number: 0,
        error: { type: "invalid_request_error", code: "context_length_exceeded", message: "Too long", param: null },
      },
      "too long for openai:m",
      1,
    ],
    [
      "google",
      { error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" } },
      "is limiting how often it can be called (429)",
      2,
    ],
    ["google", { error: { code: 503, message: "Busy", status: "UNAVAILABLE" } }, "google is overloaded (503)", 2],
  ] as const)("%s %j → %s", async (provider, event, words, attempts) => {
    server = await startRecordingServer([event]);
    const settings = providerSettings({ [provider]: { apiKey: "k", baseUrl: server.url } });
    const { error } = await askModel({ settings, spec: `${provider}:m`, retries: 1 });
    expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining(words) });
    expect(server.bodies).toHaveLength(attempts);
  });
});
