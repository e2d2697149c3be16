import { expect, test } from "vitest";
import { errorReply } from "./reply";

const down = Object.assign(new Error("Can't reach database server"), {
  code: "P1001",
  name: "PrismaClientKnownRequestError",
});

test.each<[string, Error]>([
  ["a database that can't be reached", down],
  ["one that is starting up", Object.assign(new Error("the database system is starting up"), { code: "57P03" })],
  ["a connection that broke", new Error("Connection terminated unexpectedly")],
  ["what a library made of it", new Error("Failed to get session", { cause: down })],
])("%s is 503 with the time to try again, so that a page waits rather than gives up", async (_, error) => {
  const reply = errorReply(error, "req_1");
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("5");
  expect(await reply.json()).toEqual({
    error: { code: "unavailable", message: "The database does not answer. Try again in a moment." },
  });
});

test("any other error is 500 and says only where to look", async () => {
  const reply = errorReply(new Error("secret detail"), "req_1");
  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain("secret detail");
});
