import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useAttempt } from "./use-attempt";

afterEach(cleanup);

function open(text: string) {
  const hook = renderHook(useAttempt, { initialProps: text });
  const keys: string[] = [];
  const lose = () =>
    hook.result.current((key) => Promise.reject(new Error(key))).catch((lost) => keys.push(lost.message));
  const send = () => hook.result.current(async (key) => void keys.push(key));
  return { type: hook.rerender, lose, send, keys };
}

test("a message whose answer was lost is the same one when it is sent again", async () => {
  const { lose, send, keys } = open("Deploy");
  await lose();
  await send();
  expect(keys[1]).toBe(keys[0]);
});

test("another text is another message, the same text typed again too", async () => {
  const { lose, send, keys, type } = open("Deploy");
  await lose();
  type("");
  type("Deploy");
  await send();
  expect(keys[1]).not.toBe(keys[0]);
});

test("what follows a message that was taken is another one, also where both are files alone", async () => {
  const { send, keys } = open("");
  await send();
  await send();
  expect(keys[1]).not.toBe(keys[0]);
});
