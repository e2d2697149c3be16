import { expect, test } from "vitest";
import type { ImageRef, Message } from "@/lib/schema/messages/message";
import { BLIND, countUnseen, describeUnseen, loadImages } from "./shown-images";

const picture: ImageRef = {
  path: "/workspace/a.png",
  mediaType: "image/png",
  hash: "h1",
  width: 640,
  height: 480,
  sizeBytes: 12_345,
};
const messages = (...images: ImageRef[]): Message[] => [{ role: "user", content: "Look", images }];
const seeing = (...images: ImageRef[]) =>
  loadImages(messages(...images), (hash) => Promise.resolve(hash === "gone" ? null : Buffer.from(hash)));

test("a model that can't see is told which picture there is, what it is, and that it can't see it", () => {
  expect(describeUnseen(picture, BLIND)).toBe(
    "[/workspace/a.png (PNG, 640 × 480 pixels, 12 KB): this model can't see images]",
  );
  expect(countUnseen(messages(picture), BLIND)).toBe(0);
});

test("what a model that sees is not shown is described by its own reason", async () => {
  const gone = { ...picture, hash: "gone" };
  const large = { ...picture, hash: null, sizeBytes: 9_000_000 };
  const broken = { ...picture, hash: null, problem: "damaged" as const };
  const shown = await seeing(picture, gone, large, broken);
  expect(describeUnseen(picture, shown)).toBeNull();
  expect(describeUnseen(gone, shown)).toMatch(/: not shown again, use view_image to see it\]$/);
  expect(describeUnseen(large, shown)).toMatch(/, 8\.6 MB\): too large to be seen, an image may have 4\.8 MB\]$/);
  expect(describeUnseen(broken, shown)).toMatch(/: not shown, this picture .+\]$/);
  expect(countUnseen(messages(picture, gone, large), shown)).toBe(1);
});
