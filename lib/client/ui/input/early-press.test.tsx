import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepEarlyPress } from "./early-press";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** A page as the server renders it; its button counts presses once it is alive. */
function page(label = "Allow") {
  document.body.innerHTML = `<nav><button>Menu</button></nav><main><button>${label}</button></main>`;
  const [outside, button] = [...document.querySelectorAll("button")];
  if (!button || !outside) throw new Error("The page has no buttons.");
  const onPress = vi.fn();
  return { button, outside, onPress, comeAlive: () => button.addEventListener("click", onPress) };
}

test("a press of before the page is alive arrives once", () => {
  const { button, onPress, comeAlive } = page();
  const pressAgain = keepEarlyPress();
  button.click();
  comeAlive();
  pressAgain();
  vi.runAllTimers();
  expect(onPress).toHaveBeenCalledTimes(1);
  button.click();
  vi.runAllTimers();
  expect(onPress).toHaveBeenCalledTimes(2);
});

test("a press that brings the page to life arrives by itself", () => {
  const { button, onPress, comeAlive } = page();
  const pressAgain = keepEarlyPress();
  document.body.addEventListener(
    "click",
    () => {
      comeAlive();
      pressAgain();
    },
    { capture: true, once: true },
  );
  button.click();
  vi.runAllTimers();
  expect(onPress).toHaveBeenCalledTimes(1);
});

test("presses elsewhere, and of a button that is gone, are not repeated", () => {
  const { button, outside, onPress, comeAlive } = page();
  const onOutside = vi.fn();
  outside.addEventListener("click", onOutside);
  const pressAgain = keepEarlyPress();
  outside.click();
  button.click();
  comeAlive();
  button.remove();
  pressAgain();
  vi.runAllTimers();
  expect([onOutside.mock.calls.length, onPress.mock.calls.length]).toEqual([1, 0]);
});
