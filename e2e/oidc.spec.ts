import { OIDC_CLIENT, startOidcServer } from "../lib/testing/servers/oidc-server";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A person signs in through an identity provider, and gets the role that their group there stands for", async ({
  page,
  browser,
  installation,
}) => {
  const idp = await startOidcServer(`${installation.url}/api/auth/callback/oidc`);
  try {
    await page.goto("/admin/people?tab=sign-in");
    await page.getByLabel("Name on the button").fill("Guild");
    await page.getByLabel("Issuer").fill(idp.issuer);
    await page.getByLabel("Client ID").fill(OIDC_CLIENT.clientId);
    await page.getByLabel("Client secret").fill(OIDC_CLIENT.clientSecret);
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Group there").fill("readers");
    await page.getByRole("button", { name: /^No role/ }).click();
    await page.getByRole("option", { name: /^viewer/i }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText(/answers/)).toBeVisible();

    idp.expect({ sub: "grace-1", email: "grace@guild.test", name: "Grace Hopper", groups: ["readers"] });
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const visitor = await context.newPage();
    await visitor.goto(`${installation.url}/sign-in?next=/traces`);
    await visitor.getByRole("button", { name: "Continue with Guild" }).click();
    await expect(visitor.getByRole("heading", { name: "Traces", level: 1 })).toBeVisible();
    await visitor.goto(`${installation.url}/`);
    await expect(visitor.getByText("Nothing is shared with you yet")).toBeVisible();
    await context.close();
    await page.goto("/admin/people");
    const row = page.getByRole("row", { name: /Grace Hopper/ });
    await expect(row.getByRole("button", { name: /^Viewer/ })).toBeVisible();
  } finally {
    await page.goto("/admin/people?tab=sign-in");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("button", { name: "Test" })).toBeHidden();
    await idp.close();
  }
});

/** Nothing listens there: the identity provider is away. */
const AWAY = "http://127.0.0.1:9";

test.describe("An identity provider that is away", () => {
  test.use({ expectedErrors: [/status of (400|503)/] });

  test("is named on the sign-in page, and an administrator gets in with a password", async ({
    page,
    admin,
    browser,
    installation,
  }) => {
    await page.goto("/admin/people?tab=sign-in");
    await page.getByLabel("Name on the button").fill("Corp");
    await page.getByLabel("Issuer").fill("ftp://corp.test");
    await page.getByLabel("Client ID").fill("ringmaster");
    await page.getByLabel("Client secret").fill("a-secret-of-ours");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("must be an https address without a query")).toBeVisible();
    await expect(page.getByLabel("Client ID")).toHaveValue("ringmaster");
    await page.getByLabel("Issuer").fill(AWAY);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText(/does not answer. Check the issuer/)).toBeVisible();

    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const visitor = await context.newPage();
    await visitor.goto(`${installation.url}/sign-in?next=/traces`);
    await visitor.getByRole("button", { name: "Continue with Corp" }).click();
    await expect(visitor.getByRole("alert").filter({ hasText: "Corp does not answer" })).toBeVisible();
    await visitor.getByLabel("Email").fill(admin.email);
    await visitor.getByLabel("Password").fill(admin.password);
    await visitor.getByRole("button", { name: "Sign in" }).click();
    await expect(visitor.getByRole("heading", { name: "Traces", level: 1 })).toBeVisible();
    await context.close();

    await checkAccessibility(page, "/admin/people?tab=sign-in", async () => {
      await expect(page.getByLabel("Issuer")).toHaveValue(AWAY);
      await page.getByRole("button", { name: "Add a rule" }).click();
      await expect(page.getByLabel("Group there")).toBeVisible();
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("button", { name: "Test" })).toBeHidden();
  });
});
