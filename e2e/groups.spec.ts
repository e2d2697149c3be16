import { composer } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of (403|404|409)/] });

test("an agent in a group is gone for whoever is not in it, and comes back", async ({ page, openAs, installation }) => {
  await installation.addAgent("vault", [{ text: "The vault is open." }]);
  const member = await openAs(await installation.addPerson("member", "Olga Outside"));
  const post = (path: string, data: object) =>
    member.request.post(path, { data, headers: { origin: installation.url } });
  const thread = await (await post("/api/threads", { agentId: "vault" })).json();
  const write = () => post(`/api/threads/${thread.id}/messages`, { content: "Open" });

  await page.goto("/admin/people?tab=groups");
  await page.getByRole("button", { name: "New group" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New group" });
  await dialog.getByLabel("Name").fill("Vault keepers");
  await dialog.getByLabel("Agents that only groups may use").getByText("vault", { exact: true }).last().click();
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByRole("row", { name: /Vault keepers/ })).toContainText("vault");

  await page.getByRole("button", { name: "New group" }).first().click();
  await dialog.getByLabel("Name").fill("Vault keepers");
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(dialog.getByText("There is a group with this name already.")).toBeVisible();
  await dialog.getByLabel("Name").fill("Vault visitors");
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByRole("row", { name: /Vault visitors/ })).toBeVisible();

  for (const path of ["/api/agents/vault", "/agents/vault"]) {
    expect((await member.request.get(path)).status(), path).toBe(404);
  }
  expect((await post("/api/threads", { agentId: "vault" })).status()).toBe(404);
  expect((await write()).status()).toBe(404);
  expect((await member.request.get("/api/groups")).status()).toBe(403);
  await member.goto(`/threads/${thread.id}`);
  await expect(member.getByText("was deleted or is no longer available to you")).toBeVisible();
  await expect(composer(member)).toBeDisabled();
  await expect(member.getByRole("link", { name: "Admin" })).toBeHidden();

  await page.goto("/admin/agents");
  await expect(page.getByRole("row", { name: /vault/ })).toContainText("only Vault keepers");
  await page.goto("/admin/people?tab=groups");
  await page.getByRole("button", { name: "Edit Vault keepers" }).click();
  const edit = page.getByRole("dialog", { name: "Group Vault keepers" });
  await edit.getByLabel("Members").getByText("Olga Outside").click();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /Vault keepers/ })).toContainText("Olga Outside");
  expect((await member.request.get("/api/agents/vault")).status()).toBe(200);

  await page.getByRole("button", { name: "Delete Vault keepers" }).click();
  await page.getByRole("button", { name: "Delete group" }).click();
  await page.getByRole("button", { name: "Delete and open to everybody" }).click();
  await expect(page.getByRole("row", { name: /Vault keepers/ })).toBeHidden();
});

test("the groups and open invitations are accessible, and so is the form of a group", async ({
  page,
  installation,
}) => {
  test.slow();
  await installation.call("POST", "/api/groups", { name: "Readers of everything that is written here" });
  await installation.call("POST", "/api/users/invite", { email: "long-address-of-somebody@example.test" });
  await checkAccessibility(page, "/admin/people?tab=groups", async () => {
    await expect(page.getByRole("row", { name: /Readers of everything/ })).toBeVisible();
  });
  await checkAccessibility(page, "/admin/people?tab=groups", async () => {
    await page.getByRole("button", { name: "New group" }).click();
    await expect(page.getByRole("dialog", { name: "New group" })).toBeVisible();
  });
  await checkAccessibility(page, "/admin/people?tab=invitations", async () => {
    await expect(page.getByRole("row", { name: /long-address-of-somebody/ })).toBeVisible();
  });
});

test("an open invitation is listed, gets a new link, and is revoked", async ({ page }) => {
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Email").fill("ines@example.test");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("tab", { name: "Invitations" }).click();
  await expect(page).toHaveURL(/tab=invitations/);
  await expect(page.getByRole("row", { name: /ines@example.test/ })).toContainText("Ada Admin");
  await page.getByRole("button", { name: "New link for ines@example.test" }).click();
  await expect(page.getByRole("dialog", { name: "Send them this link" })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke the invitation of ines@example.test" }).click();
  await expect(page.getByRole("row", { name: /ines@example.test/ })).toBeHidden();
});
