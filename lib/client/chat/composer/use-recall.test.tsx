import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ComposerHarness, composerField, typeInComposer } from "@/lib/testing/react/composer-harness";

afterEach(cleanup);

const press = (key: string, more: object = {}) => fireEvent.keyDown(composerField(), { key, ...more });
const SENT = ["first", "second"];

test("arrow up in an empty field recalls what was sent, arrow down leads forward, and Escape empties it", () => {
  const onStop = vi.fn();
  render(<ComposerHarness sent={SENT} isRunning onStop={onStop} />);
  press("ArrowUp");
  expect(composerField().value).toBe("second");
  press("ArrowUp");
  press("ArrowUp");
  expect(composerField().value).toBe("first");
  press("ArrowDown");
  expect(composerField().value).toBe("second");
  press("Escape");
  expect(composerField().value).toBe("");
  expect(onStop).not.toHaveBeenCalled();
  press("Escape");
  expect(onStop).toHaveBeenCalledOnce();
});

test("own words and the keys for versions are left alone", () => {
  render(<ComposerHarness sent={SENT} />);
  press("ArrowUp", { shiftKey: true });
  expect(composerField().value).toBe("");
  typeInComposer("my words");
  press("ArrowUp");
  expect(composerField().value).toBe("my words");
  typeInComposer("");
  press("ArrowUp");
  typeInComposer("second, changed");
  press("Escape");
  expect(composerField().value).toBe("second, changed");
});
