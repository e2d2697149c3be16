import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { QrCode } from "./qr-code";

afterEach(cleanup);

const LINK = "https://t.me/ringmaster_lab_bot?start=K7RP42QX";

test("a link is a square with its three corner marks and a margin that scanners need", () => {
  render(<QrCode text={LINK} label="The link to the bot" />);
  const picture = screen.getByRole("img", { name: "The link to the bot" });
  const size = Number(picture.getAttribute("viewBox")?.split(" ")[2]);
  const dark = new Set(
    [...(picture.lastElementChild?.getAttribute("d") ?? "").matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => `${x} ${y}`),
  );
  const mark = (left: number, top: number) =>
    Array.from({ length: 7 }, (_, at) => dark.has(`${left + at} ${top}`) && dark.has(`${left} ${top + at}`));
  const far = size - 4 - 7;
  for (const corner of [mark(4, 4), mark(far, 4), mark(4, far)]) expect(corner).toEqual(Array(7).fill(true));
  expect([...dark].filter((place) => place.split(" ").some((at) => Number(at) < 4 || Number(at) >= size - 4))).toEqual(
    [],
  );
});
