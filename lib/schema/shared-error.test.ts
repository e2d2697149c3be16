import { expect, test, vi } from "vitest";
import { ProviderFailure } from "@/lib/models/failures/provider-failure";
import { AppError } from "./app-error";

const copyOf = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  vi.resetModules();
  return load();
};

test("an error of one copy of a module is an instance of its class in another, and of the class's ancestors", async () => {
  const other = await copyOf(() => import("@/lib/models/failures/provider-failure"));
  const { AppError: OtherAppError } = await import("./app-error");
  const failure = new other.ProviderFailure("model_failed", "The provider failed.", { retryable: false });
  expect(other.ProviderFailure).not.toBe(ProviderFailure);
  expect([failure instanceof ProviderFailure, failure instanceof AppError]).toEqual([true, true]);
  expect(new AppError("conflict", "Taken.") instanceof OtherAppError).toBe(true);
});

test("an ancestor is no instance of its descendants, and other errors and values of none", () => {
  expect(new AppError("conflict", "Taken.") instanceof ProviderFailure).toBe(false);
  const others = [new Error("Broken."), { kind: "AppError", constructor: AppError }, "AppError", null, undefined];
  expect(others.filter((value) => value instanceof AppError)).toEqual([]);
});

test("is named like its class", () => {
  expect(new AppError("conflict", "Taken.").name).toBe("AppError");
});
