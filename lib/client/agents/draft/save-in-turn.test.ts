import { afterEach, expect, it, vi } from "vitest";
import { saveInTurn } from "./save-in-turn";

afterEach(() => vi.unstubAllGlobals());

const DRAFT = {
  config: null,
  baseVersion: 0,
  isBehind: false,
  updatedAt: "2026-11-01T00:00:00.000Z",
  updatedByName: null,
  valid: true,
  problems: [],
};

/** Answers each save with the next revision once it is released. */
function stubServer() {
  const sent: { yaml: string; revision: number }[] = [];
  const waiting: (() => void)[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    const { yaml, revision } = JSON.parse(body) as { yaml: string; revision: number };
    sent.push({ yaml, revision });
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ ...DRAFT, yaml, revision: revision + 1 });
  });
  return { sent, release: () => waiting.shift()?.() };
}

it("does not send a text again that the editor before is still saving", async () => {
  const { sent, release } = stubServer();
  const first = saveInTurn("otter", "name: Otter", 1);
  const second = saveInTurn("otter", "name: Otter", 1);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  release();
  expect(await first).toMatchObject({ revision: 2 });
  expect(await second).toMatchObject({ revision: 2 });
  expect(sent).toHaveLength(1);
});

it("sends another text afterwards, another agent's at once, and the same text again later", async () => {
  const { sent, release } = stubServer();
  const first = saveInTurn("otter", "name: Otter", 1);
  const second = saveInTurn("otter", "name: Sea otter", 2);
  const other = saveInTurn("whale", "name: Whale", 7);
  await vi.waitFor(() => expect(sent.map(({ yaml }) => yaml)).toEqual(["name: Otter", "name: Whale"]));
  release();
  release();
  await Promise.all([first, other]);
  await vi.waitFor(() => expect(sent.at(-1)).toEqual({ yaml: "name: Sea otter", revision: 2 }));
  release();
  await second;
  const again = saveInTurn("otter", "name: Sea otter", 3);
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  release();
  expect(await again).toMatchObject({ revision: 4 });
});
