import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { findRetiredTerms } from "@/lib/testing/terms/retired-terms";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Dark differs in nothing but its colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Axe finds nothing on the page at `path`, on a desktop and on a phone, light and dark; it fits 360 px and says no
 * word that was given up. `isReady` waits until the page shows what it is about.
 */
export async function checkAccessibility(page: Page, path: string, isReady: () => Promise<void>): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await useScheme(page, "light");
  await page.goto(path);
  await isReady();
  // The words may stand in a part of the page that is there before the rest.
  await expect(page.locator("h1").filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole("status", { name: /^Loading / })).toHaveCount(0);
  const texts = await page.evaluate(readTexts);
  expect.soft([...new Set(texts.flatMap(findRetiredTerms))], `words of ${path}`).toEqual([]);
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await useScheme(page, "light");
    await expectNothing(`${path} at ${size.width} px`, axe(page).withTags(RULES));
    await useScheme(page, "dark");
    await expectNothing(`${path} at ${size.width} px, dark`, axe(page).withRules(COLOUR_RULES));
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${path} scrolls sideways at 360 px`).toBeLessThanOrEqual(0);
}

async function useScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  if (page.url() === "about:blank") return;
  await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
}

/**
 * Axe at half its price: in the page itself, which has no frames that would need a second page to gather them, and
 * without the details of what it finds in order.
 */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
}

async function expectNothing(what: string, builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`,
  );
  expect.soft(found, what).toEqual([]);
}

/** In the page: each text and each name of an element, those of hidden parts too. */
function readTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!parentElement?.closest("script, style")) texts.push(textContent ?? "");
  }
  for (const name of ["aria-label", "title", "placeholder", "aria-description"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name) ?? "");
  }
  return texts;
}
