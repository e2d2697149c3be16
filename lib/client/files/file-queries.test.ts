import { expect, test } from "vitest";
import { toPreview } from "./file-queries";

test("a file is text by its content, and an image by its name alone", async () => {
  const bytes = new Blob(["hello"]);
  expect(await toPreview("notes/a.png", bytes)).toMatchObject({ kind: "image" });
  expect(await toPreview("notes/a.PDF", bytes)).toEqual({ kind: "pdf", blob: bytes });
  expect(await toPreview("notes/a.md", bytes)).toEqual({ kind: "markdown", text: "hello" });
  for (const path of ["Makefile", "constructor", "a.toString", "x.__proto__"]) {
    expect(await toPreview(path, bytes), path).toEqual({ kind: "text", text: "hello" });
  }
});
