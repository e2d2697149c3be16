import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

// A number that can't be is refused by the server, beside its field; a forged request is refused.
test.use({ expectedErrors: [/status of 400/] });

test("A webhook is made, its prompt is looked at, a signed request starts a run, and a dead letter is sent again", async ({
  page,
  installation,
  sparePort,
}) => {
  const received: IncomingMessage[] = [];
  let isDown = true;
  const receiver = createServer((request, response) => {
    received.push(request);
    request.resume().on("end", () => response.writeHead(isDown ? 503 : 200).end(isDown ? "Away" : "Taken"));
  });
  await new Promise<void>((resolve) => receiver.listen(sparePort, "127.0.0.1", resolve));
  await installation.addAgent("hooked", [{ text: "Looked at it." }]);
  const { name: member } = await installation.addPerson("member", "Mina Member");
  await page.goto("/automations/webhooks");
  await expect(page.getByText("No webhooks yet")).toBeVisible();

  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("issues-in");
  await dialog.getByRole("button", { name: /Agent$/ }).click();
  await page
    .getByRole("option", { name: /hooked/ })
    .first()
    .click();
  await dialog.getByRole("textbox", { name: "Prompt" }).fill("Look at {{/issue/title}}");
  await dialog.getByRole("button", { name: /How requests are signed$/ }).click();
  await page.getByRole("option", { name: "GitHub" }).click();
  await dialog.getByRole("button", { name: /Whose rights its runs have$/ }).click();
  await page.getByRole("option", { name: new RegExp(member) }).click();
  await dialog.getByRole("textbox", { name: "Requests per minute" }).fill("0");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await expect(dialog.getByText(/at least 1|1 or more|too small/i).first()).toBeVisible();
  await dialog.getByRole("textbox", { name: "Requests per minute" }).fill("60");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const shown = page.getByRole("dialog", { name: "The secret of the webhook" });
  const secret = (await shown.locator("code").textContent()) ?? "";
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await expect(page.getByText(member)).toBeVisible();

  const tryIt = page.getByRole("region", { name: "Try it" });
  await tryIt.getByRole("textbox", { name: "Body" }).fill('{"issue": {"title": "The build is red"}}');
  await tryIt.getByRole("button", { name: "Show the prompt" }).click();
  await expect(page.getByRole("region", { name: "What came back" })).toContainText("Look at The build is red");

  const id = new URL(page.url()).searchParams.get("webhook") ?? "";
  const body = '{"issue": {"title": "The build is red"}}';
  const post = async (key: string) => {
    const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
    const headers = { "x-hub-signature-256": signature, "content-type": "application/json" };
    return fetch(`${installation.url}/hooks/${id}?wait=30`, { method: "POST", headers, body });
  };
  const reply = await post(secret);
  expect([reply.status, (await reply.json()).response]).toEqual([200, "Looked at it."]);
  expect((await post("another")).status).toBe(401);
  await page.reload();
  const requests = page.getByRole("region", { name: "Requests" });
  await expect(requests.getByText("The signature does not match the body.")).toBeVisible();
  await expect(requests.getByRole("link", { name: "Open trace" })).toHaveCount(1);

  await page.getByRole("button", { name: "New webhook" }).click();
  await dialog.getByText("Out: an event is sent").click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("desk-out");
  await dialog.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${sparePort}/hooks`);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await shown.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("region", { name: "What came back" })).toContainText("503");
  isDown = false;
  await page.getByRole("button", { name: "Resend 1 dead letter" }).click();
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Sent/ })).toBeVisible({ timeout: 20_000 });
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const row = page.getByRole("button", { name: /^Sent/ });
  await checkAccessibility(page, page.url().replace(installation.url, ""), async () => {
    await row.click();
    await expect(page.getByRole("radio", { name: "Response" })).toBeVisible();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  const open = page.getByRole("region", { name: "Deliveries" });
  await open.getByRole("button", { name: "Delete" }).click();
  await expect(row).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row).toBeVisible();
  receiver.close();
});
