import { ROUTE_ACCESS } from "@/lib/server/http/access";
import { composer, pressUntil, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test.describe("A visitor who is not signed in", () => {
  test.use({ storageState: { cookies: [], origins: [] }, expectedErrors: [/status of 401/] });

  test("is asked to sign in, told when the password is wrong, and lands where they wanted to go", async ({
    page,
    admin,
  }) => {
    await page.goto("/traces?status=failed");
    await expect(page).toHaveURL(/\/sign-in/);
    await page.getByLabel("Email").fill(admin.email);
    await page.getByLabel("Password").fill("not-the-password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: /password/i })).toBeVisible();
    await page.getByLabel("Password").fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/traces\?status=failed$/);
    await expect(page.getByRole("heading", { name: "Traces", level: 1 })).toBeVisible();
  });
});

/** What only administrators may call, as the server itself lists it. */
const ADMIN_ROUTES = Object.entries(ROUTE_ACCESS).flatMap(([route, access]) =>
  access === "admin" ? [route.split(" ")] : [],
);
const NEEDS_ADMIN = 'This needs the scope "admin", which your role or key does not have.';

test.describe("Roles", () => {
  test.use({ expectedErrors: [/status of (403|404)/] });

  test("A viewer reads and finds nothing to send or to administer", async ({ openAs, installation }) => {
    const page = await openAs(await installation.addPerson("viewer", "Vera Viewer"));
    await page.goto("/");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Admin" })).toBeHidden();
    await expect(composer(page)).toBeHidden();
    await page.goto("/admin/agents");
    await expect(page.getByRole("heading", { name: "Agents", exact: true })).toBeHidden();
  });

  test("A member chats, but sees neither the admin pages nor what belongs to others", async ({
    page,
    openAs,
    installation,
  }) => {
    await installation.addAgent("private", [{ text: "Between us." }]);
    await startThread(page, "private", "A secret");
    await whenDone(page);
    const threadPath = new URL(page.url()).pathname;
    const { latestTraceId } = await (await page.request.get(`/api${threadPath}`)).json();

    const member = await openAs(await installation.addPerson("member", "Max Member"));
    for (const path of [threadPath, `/traces/${latestTraceId}`]) {
      await member.goto(path);
      await expect(member.getByText(/not found|not here|does not exist|no such/i).first()).toBeVisible();
      await expect(member.getByText("Between us.")).toBeHidden();
    }
    const pages = ["agents", "users", "audit", "providers", "usage", "settings", "memory", "tools", "skills"];
    for (const name of [...pages, "extensions"]) {
      await member.goto(`/admin/${name}`);
      await expect(member.getByRole("heading", { name: "This page is for administrators" }), name).toBeVisible();
    }
    for (const [method = "", path = ""] of ADMIN_ROUTES) {
      const address = path.replaceAll(/\[\w+\]/g, "x");
      const reply = await member.request.fetch(address, { method, headers: { origin: installation.url } });
      expect([reply.status(), (await reply.json()).error.message], `${method} ${path}`).toEqual([403, NEEDS_ADMIN]);
    }
    for (const path of ["/", "/traces", "/inbox", "/inbox/grants", "/inbox/connections", "/prompts"]) {
      await member.goto(path);
      await expect(member.getByRole("navigation", { name: "Main" }), path).toBeVisible();
      await expect(member.locator('a[href^="/admin"]'), path).toHaveCount(0);
    }
    await pressUntil(member, "Control+k", member.getByRole("combobox"));
    await member.getByRole("combobox").fill("admin");
    await expect(member.getByRole("dialog")).toBeVisible();
    await expect(member.getByRole("option", { name: /Admin|Models|People|Usage/ })).toHaveCount(0);
    await member.keyboard.press("Escape");
    await startThread(member, "private", "My own");
    await expect(member.getByText("Between us.")).toBeVisible();
  });
});

test.describe("A person who leaves", () => {
  // What was open for them ends in the middle.
  test.use({ expectedErrors: [/ERR_INCOMPLETE_CHUNKED_ENCODING/] });

  test("sees in the user menu who is signed in, and signs out for good", async ({ openAs, installation }) => {
    const page = await openAs(await installation.addPerson("member", "Lea Leaving"));
    await page.goto("/");
    const kept = () =>
      page.evaluate(() =>
        [localStorage, sessionStorage]
          .flatMap((storage) => Object.entries(storage))
          .filter(([key, value]) => key.startsWith("ringmaster-") && String(value).includes("Half a secret"))
          .map(([key]) => key),
      );
    await expect(async () => {
      await composer(page).fill("Half a secret");
      expect(await kept()).not.toEqual([]);
    }).toPass();
    await page.getByRole("button", { name: "User menu of Lea Leaving" }).click();
    await expect(page.getByText("· member")).toBeVisible();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    expect(await kept(), "what was typed is not left to whoever signs in next").toEqual([]);
    await page.goto("/traces");
    await expect(page).toHaveURL(/\/sign-in/);
  });
});

test("A key made in the page opens the API until it is revoked", async ({ page, installation }) => {
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: /key/i });
  await dialog.getByLabel("Name", { exact: true }).fill("Build server");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Copy the key now" });
  const key = await shown.getByRole("code").innerText();
  expect(key).toMatch(/^rm_/);
  await shown.getByRole("button", { name: "Done" }).click();

  const ask = () => fetch(`${installation.url}/agents`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  const row = page.getByRole("row").filter({ hasText: "Build server" });
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row.getByText("revoked")).toBeVisible();
  expect((await ask()).status).toBe(401);
});

test.describe("An address that does not exist", () => {
  test.use({ expectedErrors: [/status of 404/] });

  test("is a page of the product with a way back, also for what a role may not see", async ({
    page,
    openAs,
    installation,
  }) => {
    for (const path of ["/nothing/here", "/threads/th_absent"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: /^(Page|Thread) not found$/ })).toBeVisible();
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    }
    const member = await openAs(await installation.addPerson("member", "Mia Member"));
    await member.goto("/admin/people");
    await expect(member.getByRole("heading", { name: "This page is for administrators" })).toBeVisible();
    await member.getByRole("link", { name: "Back to the chat" }).click();
    await expect(member.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  });
});
