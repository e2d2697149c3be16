import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shareModules } from "./share-modules";

const padding = "x".repeat(200);
const moduleThat = (says: string) => `(context=>{context.value=${JSON.stringify(`${says}${padding}`)}})`;
const load = createRequire(import.meta.url);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-chunks-"));
  mkdirSync(path.join(folder, "pages"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, code: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, code);
  return file;
};

/** What each module of the chunk says, by its id. */
function run(file: string): Record<string, string> {
  const said: Record<string, string> = {};
  let id = "";
  for (const part of load(file)) {
    if (typeof part === "number") id = String(part);
    else {
      const context = { value: "" };
      part(context);
      said[id] = context.value.replace(padding, "");
    }
  }
  return said;
}

test("a module of two chunks is written once, and both still run it", () => {
  const routes = write("routes.js", `module.exports=[1,${moduleThat("one")},2,${moduleThat("two")}]`);
  const pages = write("pages/page.js", `module.exports=[3,${moduleThat("three")},1,${moduleThat("one")}]`);
  shareModules([routes, pages], path.join(folder, "shared"));
  expect(run(routes)).toEqual({ 1: "one", 2: "two" });
  expect(run(pages)).toEqual({ 3: "three", 1: "one" });
  const [shared = ""] = readdirSync(path.join(folder, "shared"));
  expect(readdirSync(path.join(folder, "shared"))).toHaveLength(1);
  expect(readFileSync(path.join(folder, "shared", shared), "utf8")).toContain("one");
  expect(readFileSync(routes, "utf8")).not.toContain("one");
  expect(readFileSync(pages, "utf8")).not.toContain("one");
  expect(readFileSync(routes, "utf8")).toContain("two");
});

test("a chunk loads no module that it did not contain", () => {
  const all = write("all.js", `module.exports=[1,${moduleThat("one")},2,${moduleThat("two")}]`);
  const first = write("first.js", `module.exports=[1,${moduleThat("one")}]`);
  const second = write("second.js", `module.exports=[2,${moduleThat("two")}]`);
  shareModules([all, first, second], path.join(folder, "shared"));
  expect(readdirSync(path.join(folder, "shared"))).toHaveLength(2);
  expect(run(all)).toEqual({ 1: "one", 2: "two" });
  expect(run(first)).toEqual({ 1: "one" });
  expect(run(second)).toEqual({ 2: "two" });
});

test.each([
  ["a short module", "(context=>{context.value='short'})"],
  ["a module that asks for its folder", `(context=>{context.value=__dirname+"${padding}"})`],
  ["a module that requires a file beside it", `(context=>{context.value="${padding}";()=>require("./beside.js")})`],
])("%s stays where it is", (_, code) => {
  const files = ["one.js", "other.js"].map((name) => write(name, `module.exports=[1,${code}]`));
  shareModules(files, path.join(folder, "shared"));
  expect(readdirSync(path.join(folder, "shared"))).toEqual([]);
  for (const file of files) expect(readFileSync(file, "utf8")).toBe(`module.exports=[1,${code}]`);
});

test("a file in another form is left alone", () => {
  const codes = [
    "var runtime=1;module.exports={runtime}",
    "module.exports=[1].concat([2])",
    "module.exports=[];more()",
  ];
  const files = codes.map((code, index) => write(`${index}.js`, code));
  shareModules(files, path.join(folder, "shared"));
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(codes);
});
