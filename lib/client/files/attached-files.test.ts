import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameAttached, splitAttached } from "@/lib/schema/messages/attached-files";
import { uniqueName } from "./attached-files";

describe("files attached to a message", () => {
  it("are named to the model below the words", () => {
    expect(nameAttached("Read this", [{ path: "uploads/a b.csv", sizeBytes: 4_096 }])).toBe(
      "Read this\n\nAttached files, in the workspace:\n- uploads/a b.csv (4.0 KB)",
    );
  });

  it("leave a message without files unchanged", () => {
    expect(nameAttached("Read this", [])).toBe("Read this");
    expect(splitAttached("Read this\n\n- one (two)")).toEqual({ text: "Read this\n\n- one (two)", files: [] });
  });

  it("are found again, whatever the words and the names are", () => {
    const name = fc.string({ minLength: 1, unit: "grapheme" }).map((text) => uniqueName(text, new Set()));
    const file = fc.record({ path: name.map((text) => `uploads/${text}`), sizeBytes: fc.nat() });
    fc.assert(
      fc.property(fc.string(), fc.array(file, { minLength: 1, maxLength: 3 }), (text, files) => {
        const found = splitAttached(nameAttached(text, files));
        expect(found.text).toBe(text);
        expect(found.files.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
      }),
    );
  });

  it("keep their name unless it is taken", () => {
    expect(uniqueName("a.csv", new Set())).toBe("a.csv");
    expect(uniqueName("a.csv", new Set(["a.csv", "a-2.csv"]))).toBe("a-3.csv");
    expect(uniqueName("Makefile", new Set(["Makefile"]))).toBe("Makefile-2");
  });

  it("are found again when a name has a line break that few know", () => {
    const path = "uploads/one\u2028two.txt";
    expect(splitAttached(nameAttached("Look", [{ path, sizeBytes: 1 }])).files.map((file) => file.path)).toEqual([
      path,
    ]);
    expect(uniqueName("one\u2028two.txt", new Set())).toBe("one-two.txt");
  });

  it("keep a leading dot", () => {
    expect(uniqueName(".env", new Set())).toBe(".env");
    expect(uniqueName(".env", new Set([".env"]))).toBe(".env-2");
  });

  it("can't hide their type behind marks that turn the direction of text", () => {
    expect(uniqueName("invoice\u202etxt.exe", new Set())).toBe("invoicetxt.exe");
    expect(uniqueName("\u2066a\u2069\u200f.csv", new Set())).toBe("a.csv");
  });

  it("can't point out of their folder by their name", () => {
    expect(uniqueName("../../etc/passwd", new Set())).toBe("..-..-etc-passwd");
    expect(uniqueName("..", new Set())).toBe("file");
    expect(uniqueName(" . ", new Set())).toBe("file");
  });
});
