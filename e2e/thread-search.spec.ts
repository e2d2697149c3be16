import { startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const TURNS = 40;

test("A search shows the words with a mark, and the thread opens at the message that has them", async ({
  page,
  installation,
}) => {
  test.slow();
  await installation.addAgent("finder", [{ text: "A short answer.\n\n- with\n- a list" }]);
  await startThread(page, "finder", "Where do narwhals, the unicorns of the sea, live?");
  await whenDone(page);
  const threadId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.evaluate(
    async ({ threadId: id, turns }) => {
      for (let number = 1; number < turns; number++) {
        await fetch(`/api/threads/${id}/messages`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ content: `Question ${number}.` }),
        });
      }
    },
    { threadId, turns: TURNS },
  );
  const detail = async () => (await page.request.get(`/api/threads/${threadId}`)).json();
  await expect.poll(async () => (await detail()).openRuns.length, { timeout: 60_000 }).toBe(0);
  expect((await detail()).earlierCursor).not.toBeNull();

  await page.goto("/");
  const search = page.getByRole("searchbox", { name: "Search threads" });
  await search.fill("UNICORNS of the");
  const found = page.getByRole("navigation", { name: "Threads" }).getByRole("link", { name: /unicorns of the/ });
  await expect(found.locator("mark")).toHaveText("unicorns of the");
  await found.click();
  await page.waitForURL(/\/threads\/th_[^?]+\?at=/);
  const message = page
    .getByRole("region", { name: "Transcript" })
    .getByText("Where do narwhals, the unicorns of the sea, live?", { exact: true });
  await expect(message).toBeInViewport();

  await search.fill('"100% (narwhal* OR');
  await expect(page.getByText("Nothing found")).toBeVisible();
});
