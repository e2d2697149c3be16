import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { McpConnection } from "./connect";
import { createMcpPool } from "./pool";
import type { McpServerRow } from "./server-row";

interface Fake extends McpConnection {
  isOpen: boolean;
}

let opened: Fake[] = [];
const pool = () =>
  createMcpPool({
    idleMs: 1_000,
    async connect() {
      const fake = { isOpen: true, isClosed: () => !fake.isOpen } as Fake;
      const close = async () => {
        fake.isOpen = false;
      };
      Object.assign(fake, { close });
      opened.push(fake);
      return fake;
    },
  });
const server = (change: Partial<McpServerRow> = {}) =>
  ({ id: "own", transport: "http", revision: 1, createdAt: new Date(0), ...change }) as McpServerRow;

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
});
afterEach(() => vi.useRealTimers());

test("a connection is used again, and ends after nobody has used it for a while", async () => {
  const connections = pool();
  (await connections.acquire(server())).release();
  await vi.advanceTimersByTimeAsync(999);
  (await connections.acquire(server())).release();
  await vi.advanceTimersByTimeAsync(999);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
});

test("calls at the same time have connections of their own, but a program is one process", async () => {
  const connections = pool();
  await connections.acquire(server());
  await connections.acquire(server());
  expect(opened).toHaveLength(2);
  const program = server({ id: "program", transport: "stdio" });
  await connections.acquire(program);
  await connections.acquire(program);
  expect(opened).toHaveLength(3);
});

test("a changed server, one made anew under its id, and a lost connection are connected again", async () => {
  const connections = pool();
  (await connections.acquire(server())).release();
  (await connections.acquire(server({ revision: 2 }))).release();
  (await connections.acquire(server({ revision: 2, createdAt: new Date(1) }))).release();
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  const [, , last] = opened;
  if (last) last.isOpen = false;
  const { connection } = await connections.acquire(server({ revision: 2, createdAt: new Date(1) }));
  expect([opened.length, connection.isClosed()]).toEqual([4, false]);
});
