import { expect, test } from "vitest";
import { MAX_LISTED_ENTRIES, type WorkspaceEntry } from "@/lib/agent/workspace/workspace";
import { type ContractTools, refusal } from "@/lib/testing/contracts/contract-tools";

export function describeReading(tools: ContractTools): void {
  test("a written file can be read, listed and looked at", async () => {
    await tools.write("src/main.py", "print(1)");
    expect(await tools.read("src/main.py")).toBe("print(1)");
    expect(await tools.workspace.list("src")).toEqual([{ name: "main.py", type: "file", size: 8 }]);
    expect(await tools.workspace.stat("src/main.py")).toEqual({ name: "main.py", type: "file", size: 8 });
    expect(await tools.workspace.stat("src")).toEqual({ name: "src", type: "dir", size: 0 });
  });

  test("a second write replaces the whole file", async () => {
    await tools.write("a", "a long text");
    await tools.write("a", "short");
    expect(await tools.read("a")).toBe("short");
  });

  test("a part of a file comes with the size of the whole", async () => {
    await tools.write("a", "0123456789");
    const { bytes, sizeBytes } = await tools.workspace.read("a", 4);
    expect([new TextDecoder().decode(bytes), sizeBytes]).toEqual(["0123", 10]);
  });

  test("bytes come back as they were", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await tools.workspace.write("raw", bytes);
    expect(Uint8Array.from((await tools.workspace.read("raw", 1_000)).bytes)).toEqual(bytes);
  });

  test("names may be unicode, begin with a dash or contain spaces and quotes", async () => {
    const names = ["-rf", "--help", "a b", `it's "quoted"`, "naïve-日本語-🦊", "*", "[x]", "$(id)"];
    for (const each of names) await tools.write(`names/${each}`, each);
    expect((await tools.workspace.list("names")).map((entry) => entry.name)).toEqual([...names].sort());
    for (const each of names) expect(await tools.read(`names/${each}`)).toBe(each);
  });

  test("two writes at once leave one of the two texts", async () => {
    const texts = ["a".repeat(50_000), "b".repeat(50_000)];
    await Promise.all(texts.map((text) => tools.write("same", text)));
    expect(texts).toContain(await tools.read("same"));
  });
}

/** `always` are the entries that every root of this kind has. */
export function describeListing(tools: ContractTools, always: readonly WorkspaceEntry[]): void {
  test("an empty workspace lists nothing and its root is a folder", async () => {
    expect(await tools.workspace.list("")).toEqual(always);
    expect(await tools.workspace.stat("")).toEqual({ name: "", type: "dir", size: 0 });
  });

  test("a folder is listed by name, folders and files together", async () => {
    await tools.seed({ "b.txt": "b", "a/x": "x", "c/y/z": "z" });
    expect((await tools.workspace.list("")).map((entry) => `${entry.type} ${entry.name}`)).toEqual([
      "dir a",
      "file b.txt",
      "dir c",
      ...always.map((entry) => `${entry.type} ${entry.name}`),
    ]);
  });

  test("a folder with very many entries is listed in part, and says so", async () => {
    const names = Array.from({ length: MAX_LISTED_ENTRIES + 3 }, (_, index) => `f${String(index).padStart(5, "0")}`);
    await Promise.all(names.map((each) => tools.workspace.write(`many/${each}`, new Uint8Array())));
    const listing = await tools.workspace.list("many");
    expect(listing).toHaveLength(MAX_LISTED_ENTRIES);
    expect(listing.omitted).toBe(3);
    expect(listing.at(-1)?.name).toBe("f00999");
  });
}

export function describeRefusals(tools: ContractTools): void {
  test("what is missing is not found", async () => {
    expect(await tools.workspace.stat("no/such")).toBeNull();
    expect(await refusal(tools.workspace.read("no", 1))).toBe("not_found");
    expect(await refusal(tools.workspace.read("no/such", 1))).toBe("not_found");
    expect(await refusal(tools.workspace.list("no"))).toBe("not_found");
    expect(await refusal(tools.workspace.remove("no"))).toBe("not_found");
  });

  test("a folder is not a file and a file is not a folder", async () => {
    await tools.write("folder/file", "x");
    expect(await refusal(tools.workspace.read("folder", 1))).toBe("not_a_file");
    expect(await refusal(tools.write("folder", "x"))).toBe("not_a_file");
    expect(await refusal(tools.write("", "x"))).toBe("not_a_file");
    expect(await refusal(tools.workspace.list("folder/file"))).toBe("not_a_folder");
    expect(await refusal(tools.write("folder/file/below", "x"))).toBe("not_a_folder");
    expect(await tools.workspace.stat("folder/file/below")).toBeNull();
  });

  test("a file is removed, a folder only when nothing is in it", async () => {
    await tools.write("folder/file", "x");
    expect(await refusal(tools.workspace.remove("folder"))).toBe("failed");
    await tools.workspace.remove("folder/file");
    expect(await tools.workspace.stat("folder/file")).toBeNull();
    expect(await tools.read("folder/file").catch((error) => error.code)).toBe("not_found");
  });

  test("a file that is too large is refused and the old one stays", async () => {
    await tools.write("a", "old");
    expect(await refusal(tools.workspace.write("a", new Uint8Array(2 ** 20 + 1)))).toBe("too_large");
    expect(await tools.read("a")).toBe("old");
  });

  test("over the quota nothing grows, but deleting and shrinking work", async () => {
    await tools.workspace.write("a", new Uint8Array(900_000));
    await tools.workspace.write("b", new Uint8Array(900_000));
    expect(await refusal(tools.workspace.write("c", new Uint8Array(900_000)))).toBe("quota");
    expect(await refusal(tools.workspace.write("a", new Uint8Array(10)))).toBe("accepted");
    await tools.workspace.remove("b");
    expect(await refusal(tools.workspace.write("c", new Uint8Array(900_000)))).toBe("accepted");
  });
}
