import { describe, expect, test } from "vitest";
import type { Provider } from "@/lib/schema/provider";
import { costAt, formatPrice, modelRows, testText, withFigures, withSwitch } from "./model-rows";

const PROVIDER: Provider = {
  id: "lab",
  kind: "openai-compatible",
  name: "Lab",
  source: "database",
  variable: null,
  models: [],
  offered: [],
  problem: null,
  isDefault: false,
  lastTest: null,
};
const FIGURES = { contextWindow: 9_000, price: { input: 1, cachedRead: 1, cachedWrite: 1, output: 2 } };

describe("which models are on", () => {
  const listed = [{ id: "a" }, { id: "b" }];
  const onOf = (models: Provider["models"]) =>
    modelRows({ ...PROVIDER, models, known: models }, listed)
      .filter(({ isOn }) => isOn)
      .map(({ id }) => id)
      .toSorted();

  test("all while none is named, and without those that are switched off", () => {
    expect(onOf([])).toEqual(["a", "b"]);
    expect(onOf(withSwitch([], "a", false))).toEqual(["b"]);
  });

  test("those that are named", () => {
    expect(onOf([{ id: "a" }])).toEqual(["a"]);
    expect(onOf(withSwitch([{ id: "a" }], "b", true))).toEqual(["a", "b"]);
    expect(onOf(withSwitch([{ id: "a" }, { id: "b" }], "a", false))).toEqual(["b"]);
  });

  test("a price for one switches none of the others off, and keeps their order", () => {
    const rows = modelRows({ ...PROVIDER, known: [] }, listed);
    const models = withFigures([], rows, "a", FIGURES);
    expect(models).toEqual([{ id: "a", ...FIGURES }, { id: "b" }]);
    expect(onOf(models)).toEqual(["a", "b"]);
  });

  test("what a model can do is said by the installation, or left to the catalogue", () => {
    const models = [{ id: "a", enabled: false, vision: true, streaming: false }];
    const rows = modelRows({ ...PROVIDER, models, known: [] }, listed);
    const said = withFigures(models, rows, "a", { ...FIGURES, vision: false, streaming: undefined });
    expect(said[0]).toEqual({ id: "a", enabled: false, ...FIGURES, vision: false });
  });

  test("a model that runs have asked is there although its provider is away", () => {
    expect(modelRows({ ...PROVIDER, known: [{ id: "a", vision: true }] }, undefined, ["gone", "a"])).toEqual([
      { id: "gone", isOn: true },
      { id: "a", vision: true, isOn: true },
    ]);
  });

  test("a switch keeps the figures of its model", () => {
    const off = withSwitch([{ id: "a", ...FIGURES }, { id: "b" }], "a", false);
    expect(off[0]).toEqual({ id: "a", ...FIGURES, enabled: false });
    expect(withSwitch(off, "a", true)[0]).toEqual({ id: "a", ...FIGURES });
  });
});

test("what a price would cost counts cached tokens once", () => {
  const used = { inputTokens: 1_000_000, cachedReadTokens: 400_000, cachedWriteTokens: 0, outputTokens: 100_000 };
  const price = { input: 10, cachedRead: 1, cachedWrite: 10, output: 50 };
  expect(costAt(price, { ...used, runs: 1, since: null, isPartial: false })).toBeCloseTo(6 + 0.4 + 5, 9);
});

test.each([
  [3, "$3.00"],
  [0.075, "$0.075"],
  [0, "$0.00"],
])("the price %s reads %s", (price, words) => expect(formatPrice(price)).toBe(words));

test("the list says in a few words how the last test went", () => {
  const test = { ok: false, latencyMs: 5, model: "m", at: "", byName: null };
  const wordsOf = (error: string) => testText({ ...PROVIDER, lastTest: { ...test, error } }).words;
  expect(wordsOf("The provider lab refused the API key (401).")).toBe("Refused the key");
  expect(wordsOf("Cannot reach the provider lab at http://x: refused. Check that it is running.")).toBe("Not reached");
  expect(testText(PROVIDER)).toEqual({ words: "Not tested yet", isFailed: false });
});
