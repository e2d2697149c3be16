import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { makePng } from "@/lib/testing/files/make-png";
import { startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { scriptedTurns, writes } from "@/lib/testing/servers/scripted-turns";
import { freePort } from "../scripts/free-port";
import { projectDirectory } from "../scripts/project-directory";
import { gate } from "./support/chat";
import type { Installation } from "./support/installation";
import { expect, test } from "./support/journey";

// The example as its README has it started: its own packages, its own build, and nothing of this repository beside it.

const EXAMPLE = path.join(projectDirectory, "examples", "use-chat");
const BUILT_OR_INSTALLED = new Set(["node_modules", ".next", "next-env.d.ts"]);
const run = promisify(execFile);
const long = gate();
const plan = { name: "write_todos", args: { todos: [{ id: "1", title: "Measure", status: "in_progress" }] } };
const TURNS = {
  "Plan it": [{ reasoning: "Two steps.", text: "Planning.", calls: [plan] }, { text: "Planned." }],
  "Write it": [writes("/workspace/a.txt"), { text: "Written." }],
  "Take long": [
    { text: "Beginning.", calls: [plan] },
    { text: "At last.", gate: long.opened },
  ],
  "What is this?": [{ text: "A red roof." }],
};

let folder = "";
let address = "";
let example: ChildProcess | null = null;
let model: Awaited<ReturnType<typeof startScriptedServer>> | null = null;

test.beforeAll(async ({ installation }) => {
  test.setTimeout(300_000);
  model = await startScriptedServer({ script: scriptedTurns(TURNS) });
  const models = [{ id: "m", vision: true }];
  const provider = { id: "example", name: "Example", kind: "openai-compatible", baseUrl: model.url, models };
  await installation.call("POST", "/api/providers", provider);
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
  await installation.addAgent("example", [{ text: "-" }], { model: "example:m", permissions, retries: 0 });
  const key = await makeKey(installation);

  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-example-"));
  cpSync(EXAMPLE, folder, { recursive: true, filter: (file) => !BUILT_OR_INSTALLED.has(path.basename(file)) });
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  await run("npm", ["ci", "--include=dev", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder, env });
  await run("npm", ["run", "build"], { cwd: folder, env });
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const own = { RINGMASTER_URL: installation.url, RINGMASTER_API_KEY: key, RINGMASTER_AGENT: "example" };
  const next = path.join(folder, "node_modules", "next", "dist", "bin", "next");
  const words = [next, "start", "--hostname", "127.0.0.1", "--port", String(port)];
  example = spawn(process.execPath, words, { cwd: folder, env: { ...env, ...own }, stdio: "ignore" });
  await expect.poll(async () => (await fetch(address).catch(() => null))?.status).toBe(200);
});

/** People make their keys themselves, signed in. */
async function makeKey({ url, addPerson }: Installation): Promise<string> {
  const { storageState } = await addPerson("member", "Uma Using");
  const cookie = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: url, "content-type": "application/json" };
  const body = JSON.stringify({ name: "Example", scopes: ["chat", "read"] });
  const reply = await fetch(`${url}/api/api-keys`, { method: "POST", headers, body });
  expect(reply.status).toBe(201);
  return (await reply.json()).key;
}

test.afterAll(async ({ installation }) => {
  if (example !== null && example.exitCode === null) {
    const ended = once(example, "close");
    example.kill("SIGKILL");
    await ended;
  }
  await installation.call("DELETE", "/api/providers/example");
  await model?.close();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

const replies = (page: Page) => page.getByRole("article", { name: "Agent" });
const callOf = (page: Page, tool: string) => page.getByRole("region", { name: `Call of ${tool}` });

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

async function openChat(page: Page): Promise<void> {
  await page.goto(address);
  await page.waitForURL(/\?chat=/);
  await expect(page.getByRole("status", { name: "Status" })).toHaveText("ready");
}

test("The example shows reasoning, text, a tool's call with its result, and the plan, also after a reload", async ({
  page,
}) => {
  await openChat(page);
  await send(page, "Plan it");
  await expect(replies(page).getByText("Planned.")).toBeVisible();
  await expect(replies(page).getByText("Two steps.")).toBeVisible();
  await expect(callOf(page, "write_todos")).toContainText("output-available");
  await expect(callOf(page, "write_todos")).toContainText("Updated 1 todo(s)");
  await expect(page.getByRole("list", { name: "Plan" }).getByText("Measure (in_progress)")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("article", { name: "You" }).getByText("Plan it")).toBeVisible();
  await expect(replies(page).getByText("Planned.")).toBeVisible();
});

for (const [button, state, hasRun] of [
  ["Allow", "output-available", true],
  ["Deny", "output-denied", false],
] as const) {
  test(`A call waits in the example for a person, outlives a reload, and ${button} settles it`, async ({ page }) => {
    await openChat(page);
    await send(page, "Write it");
    await expect(callOf(page, "write_file")).toContainText("approval-requested");
    await page.reload();
    await callOf(page, "write_file").getByRole("button", { name: button }).click();
    await expect(replies(page).getByText("Written.")).toBeVisible();
    await expect(callOf(page, "write_file")).toContainText(state);
    await expect(callOf(page, "write_file").getByText("Created")).toHaveCount(hasRun ? 1 : 0);
    await expect(replies(page)).toHaveCount(1);
  });
}

test("A page that is reloaded in the middle of a reply shows it once, to its end", async ({ page }) => {
  await openChat(page);
  await send(page, "Take long");
  await expect(callOf(page, "write_todos")).toContainText("output-available");
  await page.reload();
  await expect(callOf(page, "write_todos")).toContainText("output-available");
  await expect(page.getByRole("status", { name: "Status" })).toHaveText("streaming");
  long.open();
  await expect(replies(page).getByText("At last.")).toBeVisible();
  await expect(page.getByRole("status", { name: "Status" })).toHaveText("ready");
  await expect(replies(page)).toHaveCount(1);
  await expect(replies(page).getByText("Beginning.")).toHaveCount(1);
});

test("A picture that is picked in the example reaches the model", async ({ page }) => {
  await openChat(page);
  const buffer = makePng(32, 20);
  await page.getByLabel("Pictures").setInputFiles({ name: "roof.png", mimeType: "image/png", buffer });
  await send(page, "What is this?");
  await expect(replies(page).getByText("A red roof.")).toBeVisible();
  await expect(page.getByRole("article", { name: "You" }).getByRole("img", { name: "roof.png" })).toBeVisible();
  const asked = JSON.stringify(model?.requests.at(-1)?.body.messages);
  expect(asked).toContain(`data:image/png;base64,${buffer.toString("base64")}`);
});

test("The key of the example stays on its server", async ({ page }) => {
  const texts: Promise<string>[] = [];
  page.on("response", (response) => texts.push(response.text().catch(() => "")));
  await openChat(page);
  const loaded = await Promise.all(texts);
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.join("")).not.toContain("rm_");
});
