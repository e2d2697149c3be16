import { lastReply, send, startThread } from "./support/chat";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

test("A decision that did not reach the server says so, and can be taken again", async ({ page, context }) => {
  await startThread(page, "default", "run echo decided-offline");
  const card = page.getByRole("region", { name: "Approval: execute" });
  await expect(card).toBeVisible();
  await context.setOffline(true);
  await card.getByRole("button", { name: /^Allow once/ }).click();
  await expect(card.getByRole("alert")).toContainText("You are offline.");
  await context.setOffline(false);
  await send(page, "calculate 6 * 7");
  await expect(lastReply(page)).toContainText("42");
});
