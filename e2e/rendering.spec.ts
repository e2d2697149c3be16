import { lastReply, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const REPLY = `The mean costs between $5 and $10[^cost]:

$$
\\bar{x} = \\frac{1}{n} \\sum_{i=1}^{n} x_i
$$

with $x_i$ as measured.

<details>
<summary>What changed</summary>

\`\`\`diff
-return (end - start).total_seconds()
+return (end.date() - start.date()).days
\`\`\`

</details>

![A chart of it](https://pictures.example.org/chart.svg)

![](https://pictures.example.org/gone.svg)

[^cost]: Prices of **today**.
`;
const CHART = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><rect width="300" height="150"/></svg>';

// One pattern: Playwright takes a list of two for a value with its options.
const PROVOKED = /^foreign request: https:\/\/pictures\.example\.org\/|status of 404 .*\(\/gone\.svg\)$/u;
test.use({ expectedErrors: [PROVOKED] });

test("Formulas, footnotes, details and diffs are drawn; an image of another site loads by a click", async ({
  page,
  context,
  installation,
}) => {
  let asked = 0;
  await context.route("https://pictures.example.org/**", async (route) => {
    asked++;
    const isGone = route.request().url().endsWith("gone.svg");
    await route.fulfill(isGone ? { status: 404 } : { contentType: "image/svg+xml", body: CHART });
  });
  await installation.addAgent("renderer", [{ text: REPLY }]);
  await startThread(page, "renderer", "Explain the mean");
  const reply = await whenDone(page);

  await expect(reply.getByText("between $5 and $10")).toBeVisible();
  await expect(reply.locator(".katex")).toHaveCount(2);
  const fonts = () =>
    [...document.fonts].filter(({ family, status }) => family === "KaTeX_Math" && status === "loaded");
  await expect.poll(() => page.evaluate(`(${fonts})().length`)).toBeGreaterThan(0);

  await reply.getByRole("button", { name: "Footnote a", exact: true }).click();
  await expect(reply.getByRole("listitem").filter({ hasText: "Prices of today." })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(reply.getByRole("button", { name: "Footnote a", exact: true })).toBeFocused();

  await expect(reply.getByText("total_seconds")).toBeHidden();
  await reply.getByText("What changed").click();
  await expect(reply.locator(".bg-diff-add")).toHaveText("+return (end.date() - start.date()).days");

  expect(asked).toBe(0);
  await reply.getByRole("button", { name: "Show image from pictures.example.org: A chart of it" }).click();
  const frame = reply.locator('iframe[title="A chart of it"]');
  await expect.poll(async () => (await frame.boundingBox())?.width).toBe(300);
  expect(asked).toBe(1);
  // The frame is a page of nobody's: it reaches neither this one nor its storage.
  const inside = await frame
    .contentFrame()
    .locator("body")
    .evaluate(() => {
      const refused = (get: () => unknown) => {
        try {
          get();
          return false;
        } catch {
          return true;
        }
      };
      return [
        window.origin,
        refused(() => document.cookie),
        refused(() => parent.document),
        refused(() => localStorage),
      ];
    });
  expect(inside).toEqual(["null", true, true, true]);

  await reply.getByRole("button", { name: "Show image from pictures.example.org", exact: true }).click();
  await expect(reply.getByText("The image at pictures.example.org could not be loaded.")).toBeVisible();

  const path = new URL(page.url()).pathname;
  await checkAccessibility(page, path, async () => {
    await expect(page.locator(".katex").first()).toBeVisible();
    await page.getByText("What changed").click();
  });
});

const DIAGRAMS = `First:

\`\`\`mermaid
graph LR
  %% a comment
  invoices[invoices.csv] --> due{due passed?}
  due -->|yes| late[late, 41 rows]
\`\`\`

Then one that is wrong:

\`\`\`mermaid
sequenceDiagram
  %% a comment
  Alice->>Bob: Hi
  Alice--<Bob
\`\`\`
`;

test("A Mermaid diagram is drawn as an image, in either theme; one that is wrong says in which line", async ({
  page,
  installation,
}) => {
  await installation.addAgent("drawer", [{ text: DIAGRAMS }]);
  await startThread(page, "drawer", "Draw it");
  const reply = await whenDone(page);
  const image = reply.getByRole("img", { name: /^Diagram: .*late, 41 rows/ });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(300);
  const light = await image.getAttribute("src");
  await expect(reply.getByText("Line 4 can't be drawn")).toBeVisible();
  await expect(reply.getByText("Alice--<Bob")).toBeVisible();

  await reply.getByRole("button", { name: "Source", exact: true }).click();
  await expect(reply.getByText("invoices[invoices.csv] --> due{due passed?}")).toBeVisible();
  await reply.getByRole("button", { name: "Source", exact: true }).click();
  await reply.getByRole("button", { name: "Large" }).click();
  await expect(page.getByRole("dialog", { name: "Diagram" }).getByRole("img", { name: /^Diagram/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.emulateMedia({ colorScheme: "dark" });
  await expect(image).not.toHaveAttribute("src", light ?? "");
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect(page.getByRole("img", { name: /^Diagram: / })).toBeVisible();
    await expect(page.getByText("Line 4 can't be drawn")).toBeVisible();
  });
});

const FORMULAS = "The energy is $E = mc^2$, and the sum\n\n$$\n\\sum_{i=1}^{n} i\n$$\n\nis known to all.";

test("A screen reader gets each formula once, without TeX, and is told of an answer's start and end alone", async ({
  page,
  installation,
}) => {
  const pieces = FORMULAS.split(/(?<= )/u);
  await installation.addAgent("formulas", [{ text: "Ask me." }, { text: pieces, eventDelayMs: 50 }]);
  await startThread(page, "formulas", "Hello");
  await whenDone(page);
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const note = (changes: readonly MutationRecord[]) => {
      const regions = changes.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest("[role=status], [role=log], [aria-live]"),
      );
      for (const region of new Set(regions)) told.push(region?.textContent ?? "");
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await send(page, "Which energy?");
  const reply = lastReply(page);
  await expect(reply).toHaveAttribute("aria-busy", "true");
  const read: string[] = [];
  while ((await reply.getAttribute("aria-busy")) === "true") read.push(await reply.ariaSnapshot());
  await whenDone(page);
  await expect(reply.getByRole("math")).toHaveCount(2);
  read.push(await reply.ariaSnapshot());
  expect(read.at(-1)).toContain("math: E = m c 2");
  expect(read.filter((text) => /\$E|\$\$|\\sum|mc/u.test(text))).toEqual([]);
  const told = await page.evaluate(() => (window as unknown as { told: string[] }).told);
  expect(told.filter((text) => text !== "")).toEqual(["The agent is working", "The reply is complete"]);
});
