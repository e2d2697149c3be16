import { createSocket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Page } from "@playwright/test";
import { composer, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const write = (path: string, content: string) => ({ calls: [{ name: "write_file", args: { path, content } }] });
const filePanel = (page: Page) => page.getByRole("complementary", { name: "File", exact: true });

const PAGE = `<!doctype html>
<html lang="en">
<head><title>Late payments</title><link rel="stylesheet" href="look.css"></head>
<body>
<h1>Late payments</h1>
<button id="export">Export as CSV</button>
<p id="out"></p>
<a href="more.html">More</a>
<script src="rows.js"></script>
<script>document.querySelector("#export").focus();
document.querySelector("#export").onclick = () => {
  document.querySelector("#out").textContent = rows.toCsv();
};
</script>
</body>
</html>
`;
const ERROR = /rows\.toCsv is not a function/u;

test.describe("A website that the agent writes", () => {
  test.use({ expectedErrors: [ERROR] });

  test("opens beside the thread, its error is fixed, and each version can be seen", async ({ page, installation }) => {
    await installation.addAgent("site-builder", [
      write("site/look.css", "h1 { color: rgb(0, 90, 10) }\n"),
      write("site/rows.js", "const rows = [[1, 2], [3, 4]];\n"),
      write("site/more.html", "<!doctype html>\n<title>More</title><h1>More of it</h1>\n"),
      write("site/index.html", PAGE),
      { text: "Here is your page." },
      {
        calls: [
          {
            name: "edit_file",
            args: { path: "site/index.html", old_text: "rows.toCsv()", new_text: 'rows.join(";")' },
          },
        ],
      },
      { text: "Fixed." },
    ]);
    await startThread(page, "site-builder", "Make a page of late payments");
    await whenDone(page);
    const panel = filePanel(page);
    const frame = panel.frameLocator("iframe");

    await test.step("It opens by itself with its style, and the composer keeps the focus", async () => {
      await expect(frame.getByRole("heading", { name: "Late payments" })).toHaveCSS("color", "rgb(0, 90, 10)");
      await expect(panel.getByText("Runs apart from Ringmaster: no cookies, no network, no storage")).toBeVisible();
      await expect(composer(page)).toBeFocused();
    });

    await test.step("Its error is reported, with the line, and goes into the message as data", async () => {
      await frame.getByRole("button", { name: "Export as CSV" }).click();
      const problem = panel.getByRole("region", { name: "Error of the page" });
      await expect(problem.getByText("The page stopped with an error when “Export as CSV” was pressed")).toBeVisible();
      await expect(problem.getByText("TypeError: rows.toCsv is not a function, line 12")).toBeVisible();
      await problem.getByRole("button", { name: "Show line 12" }).click();
      await expect(panel.locator("pre > .bg-selection")).toContainText("rows.toCsv()");
      await panel.getByText("Page", { exact: true }).click();
      await frame.getByRole("button", { name: "Export as CSV" }).click();
      await problem.getByRole("button", { name: "Fix what is wrong here" }).click();
      await expect(composer(page)).toBeFocused();
      await expect(composer(page)).toHaveValue(
        /^Fix what is wrong in site\/index\.html\.[\s\S]*\n> When “Export as CSV” was pressed:\n> TypeError: rows\.toCsv/,
      );
      await page.keyboard.press("Enter");
      await expect(page.getByText("Fixed.")).toBeVisible();
    });

    await test.step("The new version is shown, and arrow keys show the one before", async () => {
      await expect(panel.getByText("2 of 2")).toBeVisible();
      await frame.getByRole("button", { name: "Export as CSV" }).click();
      await expect(frame.locator("#out")).toHaveText("1,2;3,4");
      await panel.getByRole("slider", { name: "Version", exact: true }).focus();
      await page.keyboard.press("ArrowLeft");
      await expect(panel.getByText("1 of 2")).toBeVisible();
      await panel.getByText("Code", { exact: true }).click();
      await expect(panel.getByText("rows.toCsv()")).toBeVisible();
      await panel.getByRole("slider", { name: "Version", exact: true }).focus();
      await page.keyboard.press("ArrowRight");
      await panel.getByText("Changes", { exact: true }).click();
      await expect(panel.getByText('rows.join(";")')).toBeVisible();
      const started = page.waitForEvent("download");
      await panel.getByRole("link", { name: "Download" }).click();
      expect(await readFile(await (await started).path(), "utf8")).toContain('rows.join(";")');
    });

    await test.step("A link of the page opens the file it names; a closed page does not come back", async () => {
      await panel.getByText("Page", { exact: true }).click();
      await frame.getByRole("link", { name: "More" }).click();
      await expect(frame.getByRole("heading", { name: "More of it" })).toBeVisible();
      await expect(page).toHaveURL(/[?&]file=site%2Fmore\.html/);
      await panel.getByRole("button", { name: "Close the file" }).click();
      await expect(panel).toBeHidden();
      await send(page, "And again");
      await whenDone(page);
      await expect(panel).toBeHidden();
    });

    await test.step("The page keeps its place in the address, in both themes and on a phone", async () => {
      const { pathname } = new URL(page.url());
      await checkAccessibility(page, `${pathname}?file=site%2Findex.html`, () =>
        expect(page.frameLocator('iframe[title="site/index.html"]').getByText("Export as CSV")).toBeVisible(),
      );
    });
  });
});

/** One page with a word on it, as short as readers take it. */
const PDF = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length 44 >> stream
BT /F1 24 Tf 40 100 Td (Dear reader) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;

test("Tables, charts, notebooks, images and PDFs are shown as what they are", async ({ page, installation }) => {
  const notebook = {
    cells: [
      { cell_type: "markdown", source: ["# Findings"] },
      {
        cell_type: "code",
        execution_count: 3,
        source: "print(6 * 7)",
        outputs: [{ output_type: "stream", name: "stdout", text: ["42\n"] }],
      },
    ],
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
  };
  await installation.addAgent("shower", [
    write("sums.csv", 'City,Sum\n"Aachen, West",1200\nBonn,"3,400"\n'),
    write("study.ipynb", JSON.stringify(notebook)),
    write(
      "mark.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60"/></svg>',
    ),
    write("letter.pdf", PDF),
    { text: "Written." },
  ]);
  await startThread(page, "shower", "Write some files");
  await whenDone(page);
  const panel = filePanel(page);
  const open = (name: string) => page.getByRole("button", { name: `Open ${name}` }).click();

  await open("sums.csv");
  await expect(panel.getByRole("cell", { name: "Aachen, West" })).toBeVisible();
  await panel.getByText("Chart", { exact: true }).click();
  await expect(panel.getByRole("img", { name: "Sum: 2 values from 1,200 to 3,400" })).toBeVisible();

  await open("study.ipynb");
  await expect(panel.getByRole("heading", { name: "Findings" })).toBeVisible();
  await expect(panel.getByText("In [3]")).toBeVisible();
  await expect(panel.getByText("42", { exact: true })).toBeVisible();

  await open("mark.svg");
  await expect
    .poll(() => panel.getByRole("img", { name: "mark.svg" }).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(90);

  await open("letter.pdf");
  await expect(panel.getByText("1 page", { exact: true })).toBeVisible();
  const paper = panel.frameLocator("iframe").getByRole("region", { name: "Page 1" });
  await expect(paper.getByText("Dear reader")).toBeAttached();
  const isDrawn = paper.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return pixels.some((value, index) => index % 4 === 0 && value < 100);
  });
  expect(await isDrawn).toBe(true);
});

/** Ways by which a page could reach a listening socket; each is tried by itself, and the last ones leave the page. */
function attacks(origin: string, stunPort: number): string {
  const peer = `const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${stunPort}" }] });
    peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
  const link = (rel: string) => `<link rel="${rel}" href="${origin}/${rel}">`;
  const tries = [
    `fetch("${origin}/fetch", { mode: "no-cors" }).catch(() => {})`,
    `navigator.sendBeacon("${origin}/beacon", "x")`,
    `new Image().src = "${origin}/image"`,
    `new WebSocket("${origin.replace("http", "ws")}/socket")`,
    `new EventSource("${origin}/events")`,
    `new Worker(URL.createObjectURL(new Blob(["fetch('${origin}/worker')"])))`,
    peer,
    `const frame = document.createElement("iframe"); frame.srcdoc = ${JSON.stringify(`<script>${peer}</script>`).replaceAll("</", "<\\/")}; document.body.append(frame)`,
    `const frame = document.createElement("iframe"); document.body.append(frame); ${peer.replace("new RTC", "new frame.contentWindow.RTC")}`,
    `const frame = document.createElement("iframe"); frame.src = "${origin}/frame"; document.body.append(frame)`,
    ...["preconnect", "dns-prefetch", "prefetch", "preload", "modulepreload"].flatMap((rel) => [
      `document.head.append(Object.assign(document.createElement("link"), { rel: "${rel}", as: "script", href: "${origin}/${rel}" }))`,
      `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(link(rel))})`,
    ]),
    `document.write("<li"); document.write(${JSON.stringify(link("preconnect").slice(3))})`,
    `const host = document.createElement("div"); document.body.append(host); host.attachShadow({ mode: "closed" }).innerHTML = ${JSON.stringify(link("preconnect"))}`,
    `document.head.append(Object.assign(document.createElement("style"), { textContent: "@import '${origin}/css'; body { background: url(${origin}/background) }" }))`,
    `const form = document.createElement("form"); form.action = "${origin}/form"; document.body.append(form); form.submit()`,
    `window.open("${origin}/open")`,
    `top.location.href = "${origin}/top"`,
    `const link = document.createElement("a"); link.href = "${origin}/download"; link.download = "x"; document.body.append(link); link.click()`,
    `document.title = [document.cookie]`,
    `document.title = [localStorage.length]`,
    `document.title = [indexedDB.open("x")]`,
    `document.title = [parent.document.title]`,
  ];
  return `<!doctype html><title>Hostile</title>${link("preconnect")}${link("stylesheet")}
<p a"b>${link("preconnect")}<p c"d><img src="${origin}/picture"><body><h1>Hostile</h1><script>
const refused = [];
const tries = ${JSON.stringify(tries).replaceAll("</", "<\\/").replaceAll("<!--", "<\\!--")};
for (const [index, code] of tries.entries()) {
  const script = document.createElement("script");
  script.textContent = "try {" + code + "} catch (error) { refused.push(" + index + ") }";
  document.head.append(script);
}
document.body.append("Tried " + tries.length + ", title " + document.title);
function leave() {
  document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0;url=${origin}/refresh">');
  setTimeout(() => { location.href = "${origin}/leave"; }, 500);
}
document.body.insertAdjacentHTML("beforeend", "<button onclick='leave()'>Leave</button>");
</script>`;
}

test("A file that is being written appears as that file, not as JSON", async ({ page, installation }) => {
  const content = `<!doctype html>\n<h1>Slowly written</h1>\n${"<p>And more of it.</p>\n".repeat(40)}`;
  await installation.addAgent("slow-writer", [
    { ...write("slow.html", content), eventDelayMs: 1_500 },
    { text: "Done." },
  ]);
  await startThread(page, "slow-writer", "Write slowly");
  const reply = page.getByRole("article", { name: "Reply" }).last();
  await expect(reply.getByText("writing", { exact: true })).toBeVisible();
  await expect(reply.getByText("<h1>Slowly written</h1>")).toBeVisible();
  await expect(reply.getByText("writing", { exact: true })).toBeVisible();
  await expect(reply.getByText('"content"')).toBeHidden();
  await whenDone(page);
  await expect(reply.getByText("Done.")).toBeVisible();
});

test.describe("A hostile page", () => {
  test.use({ expectedErrors: [/./u] });

  test("reaches neither the network, nor cookies, storage and the page around it", async ({ page, installation }) => {
    const arrived: string[] = [];
    const tcp = createServer((socket) => {
      arrived.push("a connection");
      socket.on("data", (data) => arrived.push(data.toString().split("\r\n", 1)[0] ?? ""));
      socket.on("error", () => undefined);
    });
    const udp = createSocket("udp4").on("message", () => arrived.push("a datagram"));
    await new Promise<void>((resolve) => void tcp.listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => void udp.bind(0, "127.0.0.1", resolve));
    const address = tcp.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    try {
      // The socket does listen: else nothing could arrive in any case.
      const probe = connect(Number(new URL(origin).port), "127.0.0.1", () => probe.write("alive\r\n"));
      await expect.poll(() => arrived).toEqual(["a connection", "alive"]);
      probe.destroy();
      arrived.length = 0;

      await installation.addAgent("hostile-writer", [
        write("hostile.html", attacks(origin, udp.address().port)),
        { text: "Look at it." },
      ]);
      await startThread(page, "hostile-writer", "Write a page");
      await whenDone(page);
      const panel = filePanel(page);
      await expect(panel.frameLocator("iframe").getByText(/Tried \d+, title Hostile/)).toBeVisible();
      expect(arrived).toEqual([]);
      await panel.frameLocator("iframe").getByRole("button", { name: "Leave" }).click();
      await expect(panel.getByText("The page tried to open another address, which is blocked.")).toBeVisible();
      await expect(panel.frameLocator("iframe").getByText("Hostile")).toBeHidden();
      // Longer than browsers take to connect to a host that a page has named.
      await page.waitForTimeout(1_000);
      expect(arrived).toEqual([]);
      expect(page.context().pages()).toHaveLength(1);
      await expect(page).toHaveURL(/\/threads\/th_/);
    } finally {
      tcp.close();
      udp.close();
    }
  });
});
