import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Span } from "@/lib/schema/traces/span";
import type { ModelCallBody, PromptPart, SentRequestBody } from "@/lib/schema/traces/span-body";
import { SpanMessages } from "./span-messages";

afterEach(cleanup);

const span: Span = {
  id: "s1",
  traceId: "tr",
  runId: "run",
  parentId: null,
  type: "llm",
  name: "llm.call",
  status: "completed",
  startedAtMs: 0,
  endedAtMs: 1,
  attributes: { system_sections: ["identity", "skills"], system_length: 1234 },
  error: null,
};

const request: SentRequestBody = {
  earlierCount: 4,
  sameAsStep: 1,
  earlier: null,
  fresh: [{ role: "tool", content: "text of a", toolCallId: "c1", name: "read_file", isError: true }],
  tools: [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }],
  maxTokens: 4096,
  temperature: null,
  effort: null,
};

const modelCall: ModelCallBody = {
  step: 2,
  request,
  reply: { content: "Done", reasoning: [], toolCalls: [] },
};

function show(body: ModelCallBody | null, onOpenEarlier = () => {}, system: readonly PromptPart[] | null = null) {
  const props = { span, system, isPromptHidden: false, modelCall: body, isOpening: false, onOpenEarlier };
  render(<SpanMessages {...props} />);
}

test("what the calls share is one line that asks for the rest", () => {
  const onOpenEarlier = vi.fn();
  show(modelCall, onOpenEarlier);
  fireEvent.click(screen.getByRole("button", { name: "4 earlier messages, same as step 1" }));
  expect(onOpenEarlier).toHaveBeenCalledOnce();
});

test("shows what was new, marks an error, and the reply", () => {
  show(modelCall);
  expect(screen.getByText("text of a")).toBeTruthy();
  expect(screen.getByText("error")).toBeTruthy();
  expect(screen.getByText("Done")).toBeTruthy();
});

test("opened, the earlier messages replace the line", () => {
  show({ ...modelCall, request: { ...request, earlier: [{ role: "user", content: "Before" }] } });
  expect(screen.queryByRole("button", { name: /earlier messages/ })).toBeNull();
  expect(screen.getByText("Before")).toBeTruthy();
});

test("names the parts of the system prompt", () => {
  show(modelCall);
  expect(screen.getByText(/identity, skills/).textContent).toContain("1,234 chars");
});

test("says for whom the texts of a hidden prompt are", () => {
  const system = [{ name: "identity", tokens: 7, estimated: true as const, text: null }];
  render(
    <SpanMessages {...{ span, system, isPromptHidden: true, modelCall, isOpening: false }} onOpenEarlier={() => {}} />,
  );
  expect(screen.getByText(/identity 7/).textContent).toContain("shown to administrators only");
});

test("without its messages a call shows the beginning of its reply, which the span has", () => {
  const attributes = { ...span.attributes, content_preview: "They talked." };
  render(
    <SpanMessages
      {...{ span: { ...span, attributes }, system: null, isPromptHidden: true, modelCall: null, isOpening: false }}
      onOpenEarlier={() => {}}
    />,
  );
  expect(screen.getByText("They talked.")).toBeTruthy();
});

test("says so when the messages are gone", () => {
  show(null);
  expect(screen.getByText("The messages of this call were not kept.")).toBeTruthy();
});

test("the tools that were offered open into their schemas", () => {
  show(modelCall);
  fireEvent.click(screen.getByText("1 tool offered: read_file"));
  expect(screen.getByText(/Reads a file\./)).toBeTruthy();
});

test("a message that is gone leaves its place visible", () => {
  show({ ...modelCall, request: { ...request, fresh: [null] } });
  expect(screen.getByText("This message is no longer kept.")).toBeTruthy();
});

test("a call that a hook answered says that nothing was sent", () => {
  show({ ...modelCall, request: { ...request, earlierCount: 0, fresh: [] } });
  expect(screen.getByText("Nothing was sent to the model.")).toBeTruthy();
});

test("a call of an earlier version says what it did not keep, and shows its reply", () => {
  show({ ...modelCall, request: null });
  expect(screen.getByText(/recorded by an earlier version, which did not keep the messages/)).toBeTruthy();
  expect(screen.getByText("Done")).toBeTruthy();
});

test("a long text is cut until somebody asks", () => {
  show({ ...modelCall, request: { ...request, fresh: [{ role: "user", content: `${"a".repeat(3000)}the end` }] } });
  expect(screen.queryByText(/the end/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show all 3,007 characters" }));
  expect(screen.getByText(/the end/)).toBeTruthy();
});

test("the parts of the system prompt open into their texts", () => {
  show(modelCall, undefined, [{ name: "identity", tokens: 12, estimated: true, text: "You write." }]);
  fireEvent.click(screen.getByText(/identity 12/));
  expect(screen.getByText("You write.")).toBeTruthy();
});

test("the call is copied as text", async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("navigator", { userAgent: "", clipboard: { writeText } });
  show(modelCall, () => {}, [{ name: "identity", tokens: 3, estimated: true, text: "You are A." }]);
  fireEvent.click(screen.getByRole("button", { name: "Copy as text" }));
  await screen.findByRole("button", { name: "Copied" });
  expect(writeText).toHaveBeenCalledWith(expect.stringMatching(/^\[System\]\nYou are A\.\n.*\[AI\]\nDone\n$/s));
  vi.unstubAllGlobals();
});

test("says what the provider was sent otherwise than the request shows", () => {
  const attributes = {
    left_out: { pictures: ["a.png", "b.png"], tools: ["ask_user"], thoughts: 1, older_pictures: 3 },
    rewritten: {
      turns_merged: 2,
      turns_added: 1,
      call_ids: 4,
      system_as: "user",
      max_tokens: 900,
      messages_as_text: 1,
    },
  };
  const props = { system: null, isPromptHidden: false, modelCall, isOpening: false, onOpenEarlier: () => {} };
  render(<SpanMessages {...props} span={{ ...span, attributes }} />);
  expect(screen.getByText(/^Not sent: /).textContent).toBe(
    "Not sent: the pictures a.png, b.png; 3 older pictures; the tool ask_user; 1 reply's thoughts.",
  );
  expect(screen.getByText(/^Sent otherwise: /).textContent).toBe(
    "Sent otherwise: 1 message with a call or result written as text; an output limit of 900 tokens; 2 turns joined with their neighbours; 1 turn added between two others; 4 call ids shortened; the system prompt sent as user.",
  );
});
