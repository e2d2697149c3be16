import { expect, test } from "vitest";
import { loadInPieces } from "./load-in-pieces";

test("Other tasks run before the first piece and between them, which are loaded in their order and before the part", async () => {
  const order: string[] = [];
  const piece = (name: string) => async () => {
    order.push(name);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      order.push(`after ${name}`);
      port1.close();
    };
    port2.postMessage(null);
  };
  const loading = loadInPieces([piece("first"), piece("second")], async () => {
    order.push("part");
    return "loaded";
  });
  order.push("what asked for it");
  expect(await loading).toBe("loaded");
  expect(order).toEqual(["what asked for it", "first", "after first", "second", "after second", "part"]);
});

test("A piece that can't be loaded is asked for again", async () => {
  let asked = 0;
  const flaky = async () => {
    asked += 1;
    if (asked === 1) throw new Error("The network is down");
  };
  expect(await loadInPieces([flaky], async () => asked)).toBe(2);
});
