import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { awaitElsewhere } from "./awaited-elsewhere";

const lost: unknown[] = [];
beforeEach(() => {
  lost.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
const waiting = () => awaitElsewhere((id) => lost.push(id));

test("an accepted request ends at once where no stream was ever open", () => {
  const elsewhere = waiting();
  elsewhere.openStream().ended();
  elsewhere.add(1);
  elsewhere.accept(1);
  expect(lost).toEqual([1]);
});

test("it waits while a stream is being opened or is open, and ends when that is refused", () => {
  const elsewhere = waiting();
  const stream = elsewhere.openStream();
  elsewhere.add(1);
  elsewhere.accept(1);
  elsewhere.add(2);
  vi.advanceTimersByTime(3_600_000);
  expect(lost).toEqual([]);
  stream.ended();
  expect(lost).toEqual([1]);
});

test("after a stream has ended it waits for the next one, and not for ever", () => {
  const elsewhere = waiting();
  const first = elsewhere.openStream();
  first.opened();
  elsewhere.add(1);
  elsewhere.accept(1);
  first.ended();
  vi.advanceTimersByTime(5_000);
  const second = elsewhere.openStream();
  second.opened();
  vi.advanceTimersByTime(60_000);
  expect(lost).toEqual([]);
  second.ended();
  second.ended();
  vi.advanceTimersByTime(10_000);
  expect(lost).toEqual([1]);
});

test("what was answered on a stream, under a number or its text, is over", () => {
  const elsewhere = waiting();
  elsewhere.add(1);
  elsewhere.add(2);
  elsewhere.answered("1");
  expect(elsewhere.only()).toBe(2);
  elsewhere.answered(2);
  elsewhere.accept(1);
  elsewhere.accept(2);
  expect(lost).toEqual([]);
});
