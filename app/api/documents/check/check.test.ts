import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as check } from "@/app/api/documents/check/route";
import { makePdf } from "@/lib/testing/files/make-pdf";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
beforeAll(async () => {
  server = await startRunServer(() => ({ text: "ok" }));
});
afterAll(() => server.close());

async function ask(name: string, bytes: Uint8Array): Promise<unknown> {
  const body = new FormData();
  body.set("file", new File([new Uint8Array(bytes)], name));
  const request = new Request("http://127.0.0.1:3000/", { method: "POST", body });
  request.headers.set("authorization", `Bearer ${await server.addKey("member", ["chat"])}`);
  const reply = await check(request, { params: Promise.resolve({}) });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
}

test("a document that could not be read is refused in the words that the model would get", async () => {
  const long = makePdf(Array.from({ length: 501 }, (_, index) => `Page ${index}`));
  expect(await ask("long.pdf", long)).toEqual({
    refused: "long.pdf can't be read. It has 501 pages; at most 500 are read. Split it.",
  });
});

test("a document that can be read is not refused, nor is a file of another kind", async () => {
  expect(await ask("short.pdf", makePdf(["Hello."]))).toEqual({ refused: null });
  expect(await ask("notes.txt", new TextEncoder().encode("Hello."))).toEqual({ refused: null });
  expect(await ask("table.xlsx", new TextEncoder().encode("not an Excel file"))).toEqual({ refused: null });
  expect(await server.database.workspaceFile.count()).toBe(0);
});
