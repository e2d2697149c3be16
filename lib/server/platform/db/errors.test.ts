import { expect, test } from "vitest";
import { isAway, isBusy, isDiskFull } from "./errors";

const coded = (code: string, message = "refused") => Object.assign(new Error(message), { code });

test.each([
  ["08", "08000"],
  ["08", "08001"],
  ["08", "08003"],
  ["08", "08004"],
  ["08", "08006"],
  ["08", "08P01"],
  ["53", "53000"],
  ["53", "53200"],
  ["53", "53300"],
  ["53", "53400"],
  ["57P", "57P01"],
  ["57P", "57P02"],
  ["57P", "57P03"],
  ["57P", "57P05"],
  ["40", "40001"],
  ["40", "40P01"],
  ["55P", "55P03"],
  ["57", "57014"],
  ["25P", "25P03"],
])("a statement that Postgres refuses with class %s, state %s, may succeed a moment later", (_, state) => {
  expect([isBusy(coded(state)), isAway(coded(state))]).toEqual([true, true]);
});

test.each([
  "sorry, too many clients already",
  "remaining connection slots are reserved for roles with the SUPERUSER attribute",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "the database system is starting up",
  "the database system is shutting down",
  "connect ECONNREFUSED 127.0.0.1:5432",
  "read ECONNRESET",
  "Raw query failed. Code: `53300`. Message: `sorry`",
  'ConnectorError(ConnectorError { kind: QueryError(PostgresError { code: "57P01", message: "terminating" }) })',
])("an error without a code is known by its words: %s", (message) => {
  expect(isBusy(new Error(message))).toBe(true);
});

test.each(["P1001", "P1002", "P1008", "P1017", "P2024", "P2034", "P2037"])("Prisma's %s is busy", (code) => {
  expect(isBusy(coded(code))).toBe(true);
});

test.each([
  coded("23505", "duplicate key value violates a constraint: 53300 57P01 40001"),
  coded("22P02", "invalid input syntax for type integer"),
  coded("42P01", "relation does not exist"),
  coded("P2002"),
  new Error("Total 40001 of 53300 rows"),
])("what fails again the next time is not busy: %s", (error) => {
  expect(isBusy(error)).toBe(false);
});

test("a full disk is neither busy nor away: it does not pass by itself", () => {
  const full = coded("53100", "could not extend file: No space left on device");
  expect([isBusy(full), isDiskFull(full)]).toEqual([false, true]);
});
