import type { Page } from "@playwright/test";
import { makePdf } from "@/lib/testing/files/make-pdf";
import { makePng } from "@/lib/testing/files/make-png";
import { zipFile } from "@/lib/testing/files/zip-file";
import { composer, gate, lastReply, send, startThread, threadRow, whenAlive, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

/** By how many pixels the page is wider than the window. */
const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("Very long words, text from right to left, emoji and CJK fit a phone, in messages, titles and file names", async ({
  page,
  installation,
}) => {
  const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(4);
  const ARABIC = "مرحبا بالعالم، هذا نص طويل يكتب من اليمين إلى اليسار";
  const CJK = "吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ".repeat(3);
  const FAMILY = "👩‍👩‍👧‍👦".repeat(30);
  const file = `${"非常に長い名前".repeat(8)}-ملف.md`;
  await installation.addAgent("polyglot", [
    { calls: [{ name: "write_file", args: { path: file, content: CJK } }] },
    { text: `${WORD}\n\n${ARABIC}\n\n${CJK}\n\n${FAMILY}\n\n| ${WORD} | b |\n| - | - |\n| 1 | 2 |` },
  ]);
  await startThread(page, "polyglot", `${WORD} ${ARABIC} ${CJK} ${FAMILY}`);
  const reply = await whenDone(page);
  await expect(reply).toContainText(ARABIC);
  for (const text of [reply.getByText(ARABIC), page.getByRole("article", { name: "Your message" }).getByText(WORD)])
    await expect(text).toBeVisible();
  // It begins at the right edge.
  const gap = await reply.getByText(ARABIC).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  expect(gap).toBeLessThan(2);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(reply).toContainText(ARABIC);
    expect(await excess(page)).toBe(0);
    const transcript = page.getByRole("region", { name: "Transcript" });
    expect(await transcript.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
  await expect(page.getByRole("button", { name: /非常に長い名前/ }).first()).toBeVisible();
});

test("Dictation writes what is said, and says in words what hinders it; a reply is read aloud until it is stopped", async ({
  page,
  installation,
}) => {
  await page.addInitScript(() => {
    const heard: { current: Record<string, unknown> | null } = { current: null };
    class Recognition {
      lang = "";
      onend: (() => void) | null = null;
      start() {
        heard.current = this as never;
      }
      stop() {
        this.onend?.();
      }
    }
    const spoken: { onend: (() => void) | null; text: string }[] = [];
    Object.assign(window, { heard, spoken, SpeechRecognition: Recognition });
    Object.defineProperty(navigator, "languages", { value: ["en-GB", "de-DE"] });
    Object.defineProperty(window, "SpeechSynthesisUtterance", {
      value: class {
        onend = null;
        text: string;
        constructor(text: string) {
          this.text = text;
        }
      },
    });
    Object.defineProperty(window, "speechSynthesis", {
      value: { speak: (one: (typeof spoken)[number]) => spoken.push(one), cancel: () => spoken.splice(0) },
    });
  });
  const heard = (words: string, isFinal: boolean) =>
    page.evaluate(
      ([transcript, final]) => {
        const { current } = (window as unknown as { heard: { current: { onresult: (event: object) => void } } }).heard;
        current.onresult({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal: final })] });
      },
      [words, isFinal] as const,
    );
  const spoken = () =>
    page.evaluate(() => (window as unknown as { spoken: { text: string }[] }).spoken.map(({ text }) => text));
  await installation.addAgent("speaker", [{ text: "One sentence. Another one." }]);
  await page.goto("/?agent=speaker");
  await whenAlive(page);
  await page.getByRole("button", { name: "Dictate" }).click();
  await expect(page.getByText("Listening")).toBeVisible();
  await heard("and perhaps", false);
  await expect(page.getByText("and perhaps")).toBeVisible();
  await expect(composer(page)).toHaveValue("");
  await heard("Say two sentences", true);
  await expect(composer(page)).toHaveValue("Say two sentences");
  await page.getByLabel("Language of the dictation").selectOption("de-DE");
  expect(
    await page.evaluate(() => (window as unknown as { heard: { current: { lang: string } } }).heard.current.lang),
  ).toBe("de-DE");
  await page.getByRole("button", { name: "Stop dictation" }).click();
  await expect(page.getByText("Listening")).toBeHidden();
  await page.getByRole("button", { name: "Dictate" }).click();
  await expect(page.getByText("Listening")).toBeVisible();
  await page.evaluate(() => {
    const { current } = (
      window as unknown as { heard: { current: { onerror: (event: object) => void; onend: () => void } } }
    ).heard;
    current.onerror({ error: "not-allowed" });
    current.onend();
  });
  await expect(page.getByText("The browser does not allow the microphone here.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Dictate" })).toHaveAttribute("aria-pressed", "false");
  await composer(page).press("Enter");
  await page.waitForURL(/\/threads\/th_/);
  const reply = await whenDone(page);
  await reply.getByRole("button", { name: "Read aloud" }).click();
  await expect.poll(spoken).toEqual(["One sentence.", "Another one."]);
  await reply.getByRole("button", { name: "Stop reading" }).click();
  await expect(reply.getByRole("button", { name: "Read aloud" })).toBeVisible();
  expect(await spoken()).toEqual([]);
});

test("A browser without speech offers neither", async ({ page, installation }) => {
  await page.addInitScript(() => {
    for (const name of ["SpeechRecognition", "webkitSpeechRecognition", "speechSynthesis"])
      Reflect.deleteProperty(window, name);
  });
  await installation.addAgent("silent", [{ text: "Quiet." }]);
  await startThread(page, "silent", "Hush");
  await whenDone(page);
  await expect(page.getByRole("button", { name: "Dictate" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Read aloud" })).toHaveCount(0);
});

test.describe("Attachments", () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test("A reload in the middle of an upload loses neither the text nor the files", async ({ page, installation }) => {
    await installation.addAgent("uploader", [{ text: "Got it." }]);
    await startThread(page, "uploader", "Hello");
    await whenDone(page);
    await page.getByLabel("Files to attach").setInputFiles([
      { name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("one") },
      { name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("two") },
    ]);
    await expect(page.getByRole("button", { name: "Remove two.txt" })).toBeVisible();
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/threads\/[^/]+\/files$/, async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      held.resolve();
    });
    await composer(page).fill("Read both");
    await composer(page).press("Enter");
    await held.promise;
    await page.reload();
    await page.unroute(/\/api\/threads\/[^/]+\/files$/);
    await expect(page.getByRole("button", { name: "Remove one.txt" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove two.txt" })).toBeVisible();
    await expect(composer(page)).toHaveValue("Read both");
    await composer(page).press("Enter");
    await expect(page.getByRole("article", { name: "Your message" }).last()).toContainText("two.txt");
    await whenDone(page);
    await expect(page.getByRole("article", { name: "Your message" })).toHaveCount(2);
  });
});

test("A pasted picture is attached, and fifty files fit into one message", async ({ page, installation }) => {
  await installation.addAgent("collector", [{ text: "Fifty." }]);
  await page.goto("/?agent=collector");
  await whenAlive(page);
  await composer(page).focus();
  await page.evaluate(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], "image.png", { type: "image/png" }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [...makePng(8, 8)],
  );
  const attached = page.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("listitem")).toHaveText([/image/]);
  const files = Array.from({ length: 49 }, (_, index) => ({
    name: `note-${index + 1}.txt`,
    mimeType: "text/plain",
    buffer: Buffer.from(`${index}`),
  }));
  await page.getByLabel("Files to attach").setInputFiles(files);
  await expect(attached.getByRole("listitem")).toHaveCount(50);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(composer(page)).toBeInViewport();
  await expect(page.getByRole("button", { name: "Send message" })).toBeInViewport();
  expect(await excess(page)).toBe(0);
  await send(page, "Keep these");
  await page.waitForURL(/\/threads\/th_/);
  await whenDone(page);
  const message = page.getByRole("article", { name: "Your message" }).last();
  await expect(message.getByRole("button", { name: /note-\d+\.txt|image/ })).toHaveCount(50);
  expect(await excess(page)).toBe(0);
});

test("Documents that unpack to too much, or have too many cells or pages, are refused in words", async ({
  page,
  installation,
}) => {
  const sheet = (content: string, padding = "") =>
    Buffer.from(
      zipFile([
        { path: "xl/workbook.xml", content: `<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>` },
        {
          path: "xl/_rels/workbook.xml.rels",
          content: `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
        },
        { path: "xl/worksheets/sheet1.xml", content: `<worksheet><sheetData>${content}</sheetData></worksheet>` },
        { path: "xl/worksheets/sheet2.xml", content: padding },
      ]),
    );
  const far = Array.from({ length: 62 }, (_, row) => `<row><c r="XFD${row + 1}"><v>1</v></c></row>`).join("");
  const files = [
    { name: "bomb.xlsx", mimeType: "", buffer: sheet("", " ".repeat(101_000_000)) },
    { name: "far.xlsx", mimeType: "", buffer: sheet(far) },
    { name: "long.pdf", mimeType: "", buffer: makePdf(Array.from({ length: 501 }, (_, index) => `Page ${index}`)) },
  ];
  const calls = files.map(({ name }) => ({ name: "read_file", args: { path: name } }));
  await installation.addAgent("careful", [{ text: "Hello." }, { calls }, { text: "None of them can be read." }]);
  const words = [
    ["bomb.xlsx", "It unpacks to more than 100 MB."],
    ["far.xlsx", "It has more than 1,000,000 cells."],
    ["long.pdf", "It has 501 pages; at most 500 are read."],
  ] as const;

  await test.step("As soon as they are attached: none of them is sent", async () => {
    await page.goto("/?agent=careful");
    await whenAlive(page);
    await page.getByLabel("Files to attach").setInputFiles(files);
    const attached = page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
    for (const [name, why] of words) await expect(attached.filter({ hasText: name })).toContainText(why);
    await composer(page).fill("Read them");
    await composer(page).press("Enter");
    await expect(page.getByText("The message was not sent")).toBeVisible();
    for (const [name] of words) await attached.filter({ hasText: name }).getByRole("button").click();
    await expect(attached).toHaveCount(0);
  });

  await test.step("To the model, if they are among the files of the thread", async () => {
    await composer(page).fill("Hello");
    await composer(page).press("Enter");
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    await page.getByLabel("Files to upload").setInputFiles(files);
    const workspace = page.getByRole("list", { name: "Workspace" });
    for (const [name] of words) await expect(workspace.getByRole("button", { name: new RegExp(name) })).toBeVisible();
    await send(page, "Read them");
    const reply = await whenDone(page);
    await expect(reply).toContainText("None of them can be read.");
    await reply.getByRole("button", { name: /^3 tool calls/ }).click();
    for (const [name, why] of words) {
      const card = reply.getByRole("button", { name: new RegExp(`read_file.*${name}`) });
      if ((await card.getAttribute("aria-expanded")) !== "true") await card.click();
      await expect(reply.getByText(why).first()).toBeVisible();
    }
  });
});

test.describe("Two tabs", () => {
  test.use({ expectedErrors: [/status of (404|409)/] });

  test("change one queue: each sees what the other did, and a message that is gone is said to be", async ({
    page,
    installation,
    openAs,
    admin,
  }) => {
    const hold = gate();
    await installation.addAgent("queuer", [{ text: "First.", gate: hold.opened }, { text: "Later." }]);
    await startThread(page, "queuer", "Go");
    await send(page, "Second message");
    await send(page, "Third message");
    const other = await openAs(admin);
    await other.goto(page.url());
    await whenAlive(other);
    const queue = (tab: Page) => tab.getByRole("list", { name: /Queue/i });
    await expect(queue(other).getByRole("listitem")).toHaveCount(2);
    const row = (tab: Page, text: string) => queue(tab).getByRole("listitem").filter({ hasText: text });
    await row(page, "Second message").getByRole("button", { name: /^Edit/ }).click();
    await row(other, "Third message")
      .getByRole("button", { name: /^Remove/ })
      .click();
    await expect(queue(page).getByRole("listitem")).toHaveCount(1);
    const field = queue(page).getByRole("textbox");
    await expect(field).toBeVisible();
    await field.fill("Second message, in other words");
    await field.press("Enter");
    await expect(queue(other)).toContainText("Second message, in other words");
    hold.open();
    await expect(lastReply(page)).toContainText("Later.");
    await expect(queue(page)).toBeHidden();
    await expect(queue(other)).toBeHidden();
  });
});

test("Back and Forward between threads in the middle of a stream show each thread whole", async ({
  page,
  installation,
}) => {
  const hold = gate();
  await installation.addAgent("streamer", [{ text: "Begun, and finished.", gate: hold.opened }]);
  await installation.addAgent("calm", [{ text: "Calm." }]);
  await startThread(page, "calm", "A quiet thread");
  await whenDone(page);
  const calm = page.url();
  await startThread(page, "streamer", "A running thread");
  const running = page.url();
  await threadRow(page, "A quiet thread").getByRole("link").click();
  await page.waitForURL(calm);
  await expect(lastReply(page)).toContainText("Calm.");
  await page.goBack();
  await page.waitForURL(running);
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await page.goForward();
  await page.waitForURL(calm);
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeHidden();
  await page.goBack();
  hold.open();
  await expect(lastReply(page)).toContainText("Begun, and finished.");
  await whenDone(page);
  await expect(page.getByRole("article", { name: "Reply" })).toHaveCount(1);
});
