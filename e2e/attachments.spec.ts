import { makeDocx, makeXlsx } from "@/lib/testing/files/make-office";
import { makePdf } from "@/lib/testing/files/make-pdf";
import { makePng } from "@/lib/testing/files/make-png";
import { startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { composer, lastReply, send, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const PNG = makePng(320, 200);
const PICTURE = { name: "roof.png", mimeType: "image/png", buffer: PNG };

let eyes: Awaited<ReturnType<typeof startScriptedServer>> | null = null;
test.afterEach(async ({ installation }) => {
  if (eyes === null) return;
  await installation.call("DELETE", "/api/providers/eyes");
  await eyes.close();
  eyes = null;
});

test("Files are attached, survive a reload, are sent, seen by the model, and previewed", async ({
  page,
  installation,
}) => {
  const asked: string[] = [];
  eyes = await startScriptedServer({
    script: ({ messages = [] }) => {
      asked.push(JSON.stringify(messages.at(-1)?.content));
      return { text: "A red roof." };
    },
  });
  await installation.call("POST", "/api/providers", {
    id: "eyes",
    name: "Eyes",
    kind: "openai-compatible",
    baseUrl: eyes.url,
    models: [{ id: "sees", vision: true }],
  });
  await installation.addAgent("looking", [{ text: "-" }], { model: "eyes:sees" });
  const attached = page.getByRole("list", { name: "Attached files" });

  await test.step("What is attached on the start page is there after a reload", async () => {
    await page.goto("/?agent=looking");
    const letter = { name: "letter.pdf", mimeType: "application/pdf", buffer: makePdf(["Dear Ada"]) };
    await page.getByLabel("Files to attach").setInputFiles([PICTURE, letter]);
    await expect(attached.getByRole("listitem")).toHaveCount(2);
    await composer(page).fill("What is on it?");
    await expect.poll(() => page.evaluate(countKept)).toBe(2);
    await page.reload();
    await expect(attached.getByRole("listitem")).toHaveText([/roof\.png/, /letter\.pdf/]);
    await expect(composer(page)).toHaveValue("What is on it?");
    await attached.getByRole("button", { name: "Remove letter.pdf" }).click();
    await expect.poll(() => page.evaluate(countKept)).toBe(1);
    await page.reload();
    await expect(attached.getByRole("listitem")).toHaveText([/roof\.png/]);
  });

  await test.step("A document that no model could read says why, and is not sent", async () => {
    const pages = Array.from({ length: 501 }, (_, index) => `Page ${index}`);
    const long = { name: "long.pdf", mimeType: "application/pdf", buffer: makePdf(pages) };
    await page.getByLabel("Files to attach").setInputFiles([long]);
    const chip = attached.getByRole("alert");
    await expect(chip).toHaveText("long.pdf can't be read. It has 501 pages; at most 500 are read. Split it.");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByText("Remove the file first: long.pdf can't be read.")).toBeVisible();
    await expect(composer(page)).toHaveValue("What is on it?");
    await attached.getByRole("button", { name: "Remove long.pdf" }).press("Enter");
    await expect(attached.getByRole("listitem")).toHaveText([/roof\.png/]);
  });

  await test.step("A model that sees gets the picture", async () => {
    await page.getByRole("button", { name: "Send message" }).click();
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    expect(asked.at(0)).toContain(`data:image/png;base64,${PNG.toString("base64")}`);
    expect(asked.at(0)).toContain("uploads/roof.png");
  });

  const message = page.getByRole("article", { name: "Your message" }).last();
  await test.step("The message shows the picture and opens it beside the conversation", async () => {
    const file = message.getByRole("button", { name: /roof\.png/ });
    await expect(file.locator("img")).toBeVisible();
    await file.click();
    const beside = page.getByRole("complementary", { name: "File" });
    await expect(beside.getByRole("img", { name: "uploads/roof.png" })).toBeVisible();
    await beside.getByRole("button", { name: "Close the file" }).click();
  });

  await test.step("What was sent is not attached again, and in a thread too a reload keeps what was not", async () => {
    await page.reload();
    await expect(message.getByRole("button", { name: /roof\.png/ })).toBeVisible();
    await page.getByLabel("Files to attach").setInputFiles({ ...PICTURE, name: "wall.png" });
    await expect(page.getByRole("button", { name: "Remove wall.png" })).toBeVisible();
    await expect.poll(() => page.evaluate(countKept)).toBe(1);
    await page.reload();
    await expect(page.getByRole("button", { name: "Remove wall.png" })).toBeVisible();
    await send(page, "And on this one?");
    await expect(page.getByRole("article", { name: "Your message" }).last()).toContainText("wall.png");
    await whenDone(page);
    await page.reload();
    await expect(message.getByRole("button", { name: /wall\.png/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove wall.png" })).toBeHidden();
  });

  const thread = new URL(page.url()).pathname;
  await test.step("The trace shows the picture once", async () => {
    await lastReply(page).getByRole("link", { name: "Open trace", exact: true }).click();
    await page
      .getByRole("treeitem", { name: /llm\.call/ })
      .first()
      .click();
    await expect(page.getByRole("list", { name: "Pictures" }).getByRole("img")).toHaveCount(1);
  });

  await checkAccessibility(page, thread, async () => {
    await expect(message.getByRole("button", { name: /wall\.png/ })).toBeVisible();
  });
});

test("A Word and an Excel file are shown beside the conversation, as the agent reads them", async ({
  page,
  installation,
}) => {
  await installation.addAgent("office", [{ text: "Thank you." }]);
  await page.goto("/?agent=office");
  await page.getByLabel("Files to attach").setInputFiles([
    { name: "plan.docx", mimeType: "", buffer: makeDocx(["The harvest of 2026", "We picked 412 kg of apples."]) },
    {
      name: "kg.xlsx",
      mimeType: "",
      buffer: makeXlsx({
        North: [
          ["Row", "Kg"],
          ["One", 212],
        ],
        South: [["Row"], ["Two"]],
      }),
    },
  ]);
  await send(page, "Keep these");
  await page.waitForURL(/\/threads\/th_/);
  await whenDone(page);
  const message = page.getByRole("article", { name: "Your message" });
  const beside = page.getByRole("complementary", { name: "File" });
  await message.getByRole("button", { name: /plan\.docx/ }).click();
  await expect(beside.getByText("We picked 412 kg of apples.")).toBeVisible();
  await message.getByRole("button", { name: /kg\.xlsx/ }).click();
  await expect(beside.getByRole("row", { name: "One 212" })).toBeVisible();
  await beside.getByRole("button", { name: /Sheet/ }).click();
  await page.getByRole("option", { name: "South" }).click();
  await expect(beside.getByRole("cell", { name: "Two" })).toBeVisible();
  const { pathname } = new URL(page.url());
  await checkAccessibility(page, `${pathname}?file=uploads/kg.xlsx`, async () => {
    await expect(page.getByRole("row", { name: "One 212" })).toBeVisible();
  });
});

test("A file of more than 32 MB is refused at once, in words", async ({ page, installation }) => {
  await installation.addAgent("small-files", [{ text: "-" }]);
  await page.goto("/?agent=small-files");
  const buffer = Buffer.alloc(33 * 2 ** 20);
  await page.getByLabel("Files to attach").setInputFiles({ name: "huge.bin", mimeType: "text/plain", buffer });
  await expect(page.getByText("It has 33 MB, and a file may have 32 MB.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Attached files" })).toBeHidden();
});

/** Runs in the browser: how many files it keeps until they are sent. */
async function countKept(): Promise<number> {
  const settled = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const names = (await indexedDB.databases()).map(({ name }) => name);
  if (!names.includes("ringmaster-attached")) return 0;
  const database = await settled(indexedDB.open("ringmaster-attached"));
  const count = await settled(database.transaction("files").objectStore("files").count());
  database.close();
  return count;
}
