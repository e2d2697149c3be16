import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  localStorage.clear();
  vi.resetModules();
});

/** The drafts as one tab sees them: the storage is the only thing that tabs share. */
async function openTab() {
  vi.resetModules();
  return await import("./drafts");
}

test("a draft that was sent leaves alone what another tab has typed since", async () => {
  const [one, two] = [await openTab(), await openTab()];
  one.writeDraft("th", "from one");
  two.writeDraft("th", "from two");
  one.writeDraft("th", "");
  expect((await openTab()).readDraft("th")).toBe("from two");
  two.writeDraft("th", "");
  expect(two.readDraft("th")).toBe("");
});

test("a draft of an earlier visit goes when it is sent", async () => {
  (await openTab()).writeDraft("th", "kept");
  const later = await openTab();
  later.writeDraft("th", "");
  expect(later.readDraft("th")).toBe("");
});

test("what was typed on the start page while its thread was opening goes to that thread, once", async () => {
  const drafts = await openTab();
  drafts.beginThread("th", "new:ada");
  drafts.writeDraft("new:ada", "and then");
  expect(drafts.takeStartDraft("other")).toBeNull();
  expect(drafts.takeStartDraft("th")).toBe("and then");
  expect(drafts.readDraft("new:ada")).toBe("");
  expect(drafts.takeStartDraft("th")).toBeNull();
});
