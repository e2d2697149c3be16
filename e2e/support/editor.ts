import { expect, type Page } from "@playwright/test";

/** Shows the text beside an agent's form; the browser remembers it. */
export async function showYaml(page: Page): Promise<void> {
  const yaml = page.getByRole("switch", { name: "YAML" });
  await expect(async () => {
    if (!(await yaml.isChecked())) await yaml.press("Space");
    await expect(page.getByRole("textbox", { name: /YAML$/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();
}
