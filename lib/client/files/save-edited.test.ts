import { afterEach, describe, expect, it, vi } from "vitest";
import { toPreview } from "./file-queries";
import { saveEdited, withLineEnds } from "./save-edited";

afterEach(() => void vi.unstubAllGlobals());

describe("an edited file", () => {
  it("keeps the mark at its start by which other programs know its encoding", async () => {
    const stored = new Blob(["\ufeffname;größe"]);
    const written: FormDataEntryValue[] = [];
    vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
      if (body instanceof FormData) written.push(body.get("file") ?? "");
      return new Response(stored);
    });
    const preview = await toPreview("a.csv", stored);
    const before = preview.kind === "text" ? preview.text : "";
    const edited = { threadId: "th", path: "a.csv", before, text: `${before}\na;1` };
    expect(await saveEdited(edited)).toBe("saved");
    const bytes = Buffer.from(await (written[0] as File).arrayBuffer());
    expect(bytes.toString("hex")).toBe(Buffer.from("\ufeffname;größe\na;1").toString("hex"));
  });

  it("keeps the ends of line that it had", () => {
    expect(withLineEnds("a\nb\n", "x\r\ny\r\n")).toBe("a\r\nb\r\n");
    expect(withLineEnds("a\nb\n", "x\ny")).toBe("a\nb\n");
  });
});
