import { expect, test } from "vitest";
import { readUpload } from "./read-upload";

const MAX_BYTES = 32 * 2 ** 20;

function upload(sizeBytes: number): Request {
  const body = new FormData();
  body.set("path", "uploads/large.bin");
  body.set("file", new Blob([new Uint8Array(sizeBytes)]), "large.bin");
  return new Request("http://ringmaster.test/", { method: "PUT", body });
}

test("a file of exactly 32 MB is taken: what its form adds does not count", async () => {
  const { path, bytes } = await readUpload(upload(MAX_BYTES));
  expect([path, bytes.byteLength]).toEqual(["uploads/large.bin", MAX_BYTES]);
});

test.each([MAX_BYTES + 1, MAX_BYTES + 2 ** 20])("a file of %i bytes is refused in words", async (sizeBytes) => {
  await expect(readUpload(upload(sizeBytes))).rejects.toMatchObject({
    code: "payload_too_large",
    message: "The file is larger than 32 MB.",
  });
});
