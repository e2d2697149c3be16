import assert from "node:assert/strict";
import { test } from "node:test";
import { runTool } from "ringmaster/testing";
import convertUnits from "./index.ts";

test("a length is converted", async () => {
  const result = await runTool(convertUnits, { value: 26.2, from: "mile", to: "km" });
  assert.equal(result.output, "26.2 mile = 42.1648128 km");
});

test("the model reads which units there are when it names another", async () => {
  const result = await runTool(convertUnits, { value: 1, from: "parsec", to: "km" });
  assert.match(result.error ?? "", /^Unknown unit parsec\. Use one of: mm, cm, m,/);
});

test("a mass is not a length", async () => {
  const result = await runTool(convertUnits, { value: 1, from: "kg", to: "m" });
  assert.equal(result.error, "kg is a mass and m a length. Convert one kind.");
});

test("arguments of another type are refused before the tool runs", async () => {
  const result = await runTool(convertUnits, { value: "much", from: "kg", to: "pound" });
  assert.match(result.error ?? "", /^invalid arguments: value:/);
});
