import { lastReply, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const CALL = { name: "calculate", args: { expression: "1 + 1" } };

test("A run that reaches its limit says so, and Continue picks up from there", async ({ page, installation }) => {
  const busy = { text: "Still counting. ", calls: [CALL] };
  await installation.addAgent("limited", [busy, busy, { text: "Now it is done." }], {
    tools: ["calculate"],
    max_iterations: 2,
  });
  await startThread(page, "limited", "Count");
  const reply = await whenDone(page);
  await expect(reply.getByRole("heading", { name: "Stopped at the limit" })).toBeVisible();
  await reply.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Now it is done.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue" })).toBeHidden();
});

test("A refused key is explained with the way to it, and Continue succeeds once it is fixed", async ({
  page,
  installation,
}) => {
  await installation.addAgent("refused", [
    { fault: { status: 401, message: "Incorrect API key provided", code: "invalid_api_key" } },
    { text: "The key works now." },
  ]);
  // From here on, the models are those that a route has loaded, and the start's copy of the engine calls them.
  await installation.call("POST", "/api/providers", {
    id: "another",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:9/v1",
    models: [{ id: "none" }],
  });
  await startThread(page, "refused", "Hello");
  const reply = await whenDone(page);
  await expect(reply.getByRole("heading", { name: /^The provider scripted refused the API key/ })).toBeVisible();
  await expect(reply).toContainText(/key/i);
  await expect(reply.getByRole("link", { name: "Open trace" }).first()).toBeVisible();
  await expect(reply.getByRole("link", { name: "Check its key" })).toHaveAttribute(
    "href",
    /\/admin\/models\?provider=/,
  );
  await expect(reply.getByRole("button", { name: "Retry", exact: true })).toBeHidden();
  await reply.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("The key works now.")).toBeVisible();
  await installation.call("DELETE", "/api/providers/another");
});

test("A stopped reply can be retried: the same step runs again, and nothing is added", async ({
  page,
  installation,
  provider,
}) => {
  await installation.addAgent("retried", [
    { text: "Once upon", fault: { kind: "silence" } },
    { text: "Now from the start." },
  ]);
  await startThread(page, "retried", "Tell me");
  await expect(lastReply(page)).toContainText("Once upon");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(page.getByRole("heading", { name: "Stopped by you" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.getByText("Now from the start.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toBeHidden();
  expect(provider.countRequests("retried")).toBe(2);
});

test("A passing fault of the provider is shown and retried", async ({ page, installation, provider }) => {
  await installation.addAgent("shaky", [{ fault: { status: 500 } }, { text: "Second time lucky." }]);
  await startThread(page, "shaky", "Try");
  await expect(lastReply(page).getByText(/Attempt 1 failed/)).toBeVisible();
  const reply = await whenDone(page);
  await expect(reply.getByText("Second time lucky.")).toBeVisible();
  expect(provider.countRequests("shaky")).toBe(2);
});
