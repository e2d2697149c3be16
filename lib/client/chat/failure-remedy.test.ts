import { expect, test } from "vitest";
import { remedyOf } from "./failure-remedy";

const failed = (text: string) => remedyOf({ kind: "failed", text });

test.each([
  ["refused the API key (401). Check LAB_KEY.", "Check its key"],
  ["refused access to lab:large (403). Check that LAB_KEY may use it.", "Check its key"],
  ["does not know the model large (404). Check the model name.", "Check its models"],
])("the provider's page is one press away: %s", (said, label) => {
  expect(failed(`LLM call: The provider lab ${said}`)).toEqual({
    isRetryUseless: true,
    link: { label, href: "/admin/models?provider=lab", isForAdmins: true },
  });
});

test.each([
  "The conversation is too long for lab:large (400). It has 9,000 tokens.",
  "The request is too large for lab:large (413). Start a new thread or send less.",
])("what is too long leads to a new thread: %s", (said) => {
  expect(failed(said)).toMatchObject({ isRetryUseless: true, link: { label: "Start a new thread", href: "/" } });
});

test.each([
  "The provider lab is overloaded (503).",
  "The provider lab is limiting how often it can be called (429).",
  "Cannot reach the provider lab at http://localhost: refused.",
])("what may pass by itself is retried: %s", (said) => {
  expect(failed(said)).toEqual({ isRetryUseless: false, link: null });
});

test("a stopped run has none, whatever its text says", () => {
  expect(remedyOf({ kind: "cancelled", text: "The provider lab refused the API key (401)." }).link).toBeNull();
});
