import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readDraft, writeDraft } from "@/lib/client/chat/composer/drafts";
import { readUnsent, storeUnsent } from "@/lib/client/chat/composer/unsent";
import { keepPicked } from "@/lib/client/chat/composer/use-picked";
import { claimBrowser, forgetPerson, onPersonGone } from "./browser-person";

const deleteDatabase = vi.fn();
const close = vi.fn();
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal("indexedDB", { deleteDatabase });
  const registration = { getNotifications: async () => [{ close }] };
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  deleteDatabase.mockClear();
  close.mockClear();
});

function leaveThings(): void {
  writeDraft("th_1", "half a secret");
  writeDraft("new:ada", "another");
  keepPicked("th_1", { model: "m", effort: null });
  storeUnsent("th_1", [{ key: "k", text: "unsent", model: null, content: "unsent" }]);
  localStorage.setItem("ringmaster-attached:th_1", "1");
  sessionStorage.setItem("ringmaster-tab:note", '"typed"');
  localStorage.setItem("theme", "dark");
}

const kept = () => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage));

test("signing out leaves nothing of the person: no draft, unsent message, choice, file or notification", async () => {
  claimBrowser("ada");
  leaveThings();
  forgetPerson();
  expect(kept()).toEqual(["theme"]);
  expect([readDraft("th_1"), readDraft("new:ada"), readUnsent("th_1")]).toEqual(["", "", []]);
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith("ringmaster-attached");
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test("who signs in again after their session has expired finds their drafts", () => {
  claimBrowser("ada");
  leaveThings();
  claimBrowser("ada");
  expect(readDraft("th_1")).toBe("half a secret");
  expect(deleteDatabase).not.toHaveBeenCalled();
});

test("who signs in after somebody else's session has expired finds nothing of theirs", () => {
  claimBrowser("ada");
  leaveThings();
  claimBrowser("ben");
  expect(kept().toSorted()).toEqual(["ringmaster-person", "theme"]);
  expect(deleteDatabase).toHaveBeenCalledOnce();
});

test.each([null, "ben"])(
  "a tab leaves, and forgets its own memory, once another tab says the person is %s",
  (newValue) => {
    claimBrowser("ada");
    leaveThings();
    const leave = vi.fn();
    const stop = onPersonGone("ada", leave);
    window.dispatchEvent(new StorageEvent("storage", { key: "ringmaster-draft:th_1", newValue: "x" }));
    window.dispatchEvent(new StorageEvent("storage", { key: "ringmaster-person", newValue: "ada" }));
    expect(leave).not.toHaveBeenCalled();
    window.dispatchEvent(new StorageEvent("storage", { key: "ringmaster-person", newValue }));
    expect(leave).toHaveBeenCalledOnce();
    expect(Object.keys(sessionStorage)).toEqual([]);
    stop();
    window.dispatchEvent(new StorageEvent("storage", { key: "ringmaster-person", newValue: "carl" }));
    expect(leave).toHaveBeenCalledOnce();
  },
);

test("a browser that forbids storage keeps nothing and breaks nothing", () => {
  vi.stubGlobal("localStorage", {
    get length(): number {
      throw new Error("forbidden");
    },
    getItem: () => {
      throw new Error("forbidden");
    },
  });
  expect(() => claimBrowser("ada")).not.toThrow();
  expect(() => forgetPerson()).not.toThrow();
});
