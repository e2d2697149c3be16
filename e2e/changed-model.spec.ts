import type { Page } from "@playwright/test";
import type { ChatRequestBody } from "../lib/testing/servers/scripted-openai-server";
import { gate, lastReply, send, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

async function pickModel(page: Page, option: RegExp): Promise<void> {
  await page.getByRole("button", { name: /Model$/ }).click();
  await page.getByRole("option", { name: option }).click();
  await expect(page.getByRole("listbox")).toBeHidden();
}

/** What a model is told, a line for each message. */
function told({ messages = [] }: ChatRequestBody): string[] {
  return messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content, tool_calls: calls = [] }) =>
      [role, typeof content === "string" ? content : "", ...calls.map(({ function: { name } }) => name)]
        .join(" ")
        .trim(),
    );
}

test("A thread goes on with another model after a stop in the middle of a run, and nothing is lost", async ({
  page,
  installation,
}) => {
  test.slow();
  const second = gate();
  const heard: string[][] = [];
  const todos = { todos: [{ id: "1", title: "Look around", status: "in_progress" }] };
  await installation.addAgent("changed-other", [
    (request) => {
      heard.push(told(request));
      return { text: "The other one goes on.", gate: second.opened };
    },
  ]);
  await installation.addAgent(
    "changed",
    [
      { text: "I look around.", calls: [{ name: "write_todos", args: todos }] },
      { text: "Half of what I wanted to say", fault: { kind: "silence" } },
      (request) => {
        heard.push(told(request));
        return { text: "The first one is back." };
      },
    ],
    { choices: { models: ["scripted:changed-other", "scripted:changed"], efforts: [] } },
  );
  await startThread(page, "changed", "Fix the build");
  await expect(lastReply(page)).toContainText("Half of what I wanted");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await whenDone(page);

  await pickModel(page, /^changed-other/);
  await send(page, "Go on with the other");
  await expect.poll(() => heard.length).toBe(1);
  // Changed again while that one works: the message that waits goes to the first model.
  await pickModel(page, /^changed(?!-)/);
  await send(page, "And back again");
  await expect(page.getByRole("list", { name: "Queued messages" }).getByRole("listitem")).toHaveCount(1);
  second.open();
  await expect(lastReply(page)).toContainText("The first one is back.");
  await whenDone(page);

  const [other = [], first = []] = heard;
  expect(other[0]).toBe("user Fix the build");
  expect(other.some((line) => line.startsWith("assistant I look around.") && line.includes("write_todos"))).toBe(true);
  expect(other.some((line) => line.includes("Half of what I wanted"))).toBe(true);
  expect(other.at(-1)).toBe("user Go on with the other");
  expect(first.slice(-3)).toEqual([
    "user Go on with the other",
    "assistant The other one goes on.",
    "user And back again",
  ]);
  await page.reload();
  for (const text of [
    "Fix the build",
    "I look around.",
    "Half of what",
    "Go on with the other",
    "goes on.",
    "is back.",
  ]) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
});
