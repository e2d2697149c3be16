import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type ApiError, callApi, callJson, errorMessage, queryString } from "./api";

afterEach(() => vi.unstubAllGlobals());

function answer(reply: () => Promise<Response>) {
  const sent: { path: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push({ path, init });
    return reply();
  });
  return sent;
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test("sends JSON and parses what comes back", async () => {
  const sent = answer(async () => Response.json({ n: 1, more: true }));
  expect(await callJson(z.object({ n: z.number() }), "/api/x", { method: "POST", body: { a: 1 } })).toEqual({ n: 1 });
  expect(sent[0]?.init).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    headers: { "content-type": "application/json" },
  });
});

test("a refusal carries its code, request and fields", async () => {
  const details = [{ path: "email", message: "is taken" }];
  const body = { error: { code: "conflict", message: "That address is taken.", details } };
  answer(async () => Response.json(body, { status: 409, headers: { "x-request-id": "req_1" } }));
  const error = await caught(callApi("/api/x"));
  expect(error).toMatchObject({ code: "conflict", status: 409, requestId: "req_1", message: "That address is taken." });
  expect((error as ApiError).problems.get("email")).toBe("is taken");
});

test("a reply that is not JSON is still an ApiError", async () => {
  answer(async () => new Response("<html>", { status: 502 }));
  expect(await caught(callApi("/api/x"))).toMatchObject({ code: "http_502", status: 502 });
});

test("silence says what to do", async () => {
  answer(async () => Promise.reject(new TypeError("fetch failed")));
  const error = await caught(callApi("/api/x"));
  expect(error).toMatchObject({ code: "unreachable" });
  expect(errorMessage(error)).toContain("does not answer");
});

test("a browser without a network is told so, not that the server is silent", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  answer(async () => Promise.reject(new TypeError("fetch failed")));
  expect(errorMessage(await caught(callApi("/api/x")))).toContain("You are offline");
});

test("an abort is not an error of the server", async () => {
  const controller = new AbortController();
  controller.abort();
  answer(async () => Promise.reject(new DOMException("aborted", "AbortError")));
  expect(await caught(callApi("/api/x", { signal: controller.signal }))).toBeInstanceOf(DOMException);
});

test("a query string contains only what is set", () => {
  expect(queryString({ q: "a b", cursor: null, archived: false, limit: 5, none: "" })).toBe("?q=a+b&limit=5");
  expect(queryString({ q: "" })).toBe("");
});
