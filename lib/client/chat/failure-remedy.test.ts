import { expect, test } from "vitest";
import type { FailureCause } from "@/lib/schema/runs/run";
import { remedyOf } from "./failure-remedy";

const failed = (kind: FailureCause["kind"]) => {
  const error = { code: "model_failed", message: "Any words.", cause: { kind, provider: "lab 2" } };
  return remedyOf({ kind: "failed", text: error.message, error });
};

test.each([
  ["key_refused", "Check its key"],
  ["access_refused", "Check its key"],
  ["unknown_model", "Check its models"],
] as const)("the provider's page is one press away: %s", (kind, label) => {
  expect(failed(kind)).toEqual({
    isRetryUseless: true,
    link: { label, href: "/admin/models?provider=lab%202", isForAdmins: true },
  });
});

test.each(["too_long", "too_large"] as const)("what is too long leads to a new thread: %s", (kind) => {
  expect(failed(kind)).toMatchObject({ isRetryUseless: true, link: { label: "Start a new thread", href: "/" } });
});

test("what may pass by itself is retried, whatever its text says", () => {
  const text = "The provider lab refused the API key (401).";
  expect(remedyOf({ kind: "failed", text, error: { code: "model_failed", message: text } })).toEqual({
    isRetryUseless: false,
    link: null,
  });
});

test("a stopped run has none", () => {
  const error = { code: "model_failed", message: "x", cause: { kind: "key_refused", provider: "lab" } } as const;
  expect(remedyOf({ kind: "cancelled", text: "x", error }).link).toBeNull();
});
