import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateClientRoutes, generateFiles } from "./generate";
import { readRouteFiles, routeModules } from "./route-modules";

test("every generated file is current: npm run generate would change nothing", async () => {
  const files = { ...generateFiles(), ...(await generateClientRoutes()) };
  const stored = Object.fromEntries(Object.keys(files).map((file) => [file, readFileSync(file, "utf8")]));
  expect(stored).toEqual(files);
});

describe("the list of routes", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "ringmaster-routes-"));
    const files = {
      "app/api/notes/[noteId]/route.ts":
        "export const GET = defineRoute();\nexport const DELETE: Route = defineRoute();\n",
      "app/(console)/api/notes/route.ts": "export const POST = defineRoute();\nexport const dynamic = 1;\n",
      "app/api/[...path]/route.ts": "export { nothing as GET };\n",
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.join(directory, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(directory, file), text);
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const access = { "POST /api/notes": "chat", "GET /api/notes/[noteId]": "read", "DELETE /api/notes/[noteId]": "chat" };

  test("names each route file by its URL, without groups of folders and without the catch-all", () => {
    expect(readRouteFiles(directory).map(({ url, methods }) => [url, methods])).toEqual([
      ["/api/notes", ["POST"]],
      ["/api/notes/[noteId]", ["GET", "DELETE"]],
    ]);
    expect(routeModules(readRouteFiles(directory), access)).toContain('"/api/notes/[noteId]": apiNotesNoteId,');
  });

  test("is not written while nobody has decided who may call a route", () => {
    const { "DELETE /api/notes/[noteId]": _, ...undecided } = access;
    expect(() => routeModules(readRouteFiles(directory), undecided)).toThrow(
      "who may call DELETE /api/notes/[noteId].",
    );
  });

  test("is not written while the access table names a route that is gone", () => {
    const more = { ...access, "PUT /api/notes": "chat" };
    expect(() => routeModules(readRouteFiles(directory), more)).toThrow("do not exist: PUT /api/notes.");
  });
});
