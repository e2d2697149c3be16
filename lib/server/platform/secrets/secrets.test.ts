import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox, loadSecrets, SecretUnreadable } from "./secrets";

const OLD = "o".repeat(32);
const NEW = "n".repeat(32);

describe("createSecretBox", () => {
  test("gives back any text it encrypted", () => {
    const box = createSecretBox([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (plain) => box.decrypt(box.encrypt(plain, "p"), "p") === plain),
    );
  });

  test("never encrypts the same text to the same bytes", () => {
    const box = createSecretBox([NEW]);
    expect(box.encrypt("x", "p")).not.toBe(box.encrypt("x", "p"));
  });

  test("reads what an older secret encrypted and calls it stale", () => {
    const stored = createSecretBox([OLD]).encrypt("key", "provider:openai");
    const rotated = createSecretBox([NEW, OLD]);
    expect(rotated.decrypt(stored, "provider:openai")).toBe("key");
    expect(rotated.isStale(stored)).toBe(true);
    expect(rotated.isStale(rotated.encrypt("key", "provider:openai"))).toBe(false);
  });

  test("says which key is missing when the secret is gone", () => {
    const stored = createSecretBox([OLD]).encrypt("key", "p");
    expect(() => createSecretBox([NEW]).decrypt(stored, "p")).toThrow(/not in RINGMASTER_SECRET/);
  });

  test("refuses a text that was moved to another purpose", () => {
    const box = createSecretBox([NEW]);
    expect(() => box.decrypt(box.encrypt("key", "tool:a"), "tool:b")).toThrow(SecretUnreadable);
  });

  test("refuses a text with any byte changed", () => {
    const box = createSecretBox([NEW]);
    const [format, id, payload = ""] = box.encrypt("key", "p").split(".");
    const bytes = Buffer.from(payload, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes.readUInt8(at) + 1) % 256, at);
      expect(() => box.decrypt(`${format}.${id}.${changed.toString("base64url")}`, "p")).toThrow(SecretUnreadable);
    }
  });

  test("derives unrelated keys for different purposes, the same one each time", () => {
    const box = createSecretBox([NEW]);
    expect(box.deriveKey("sessions")).toHaveLength(64);
    expect(box.deriveKey("sessions")).toBe(createSecretBox([NEW, OLD]).deriveKey("sessions"));
    expect(box.deriveKey("sessions")).not.toBe(box.deriveKey("webhooks"));
  });
});

describe("loadSecrets", () => {
  let directory: string;
  let dataDirectory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), "ringmaster-secrets-"));
    dataDirectory = path.join(directory, "data");
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test("prefers the environment and then writes no file", () => {
    expect(loadSecrets({ secrets: [NEW], dataDirectory })).toEqual([NEW]);
    expect(() => statSync(dataDirectory)).toThrow();
  });

  test("creates a secret once, readable by its owner only", () => {
    const [made] = loadSecrets({ secrets: [], dataDirectory });
    expect(loadSecrets({ secrets: [], dataDirectory })).toEqual([made]);
    expect(made?.length).toBeGreaterThan(40);
    expect(statSync(path.join(dataDirectory, "secret")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDirectory).mode & 0o777).toBe(0o700);
  });

  test("refuses an empty secret file instead of replacing it", () => {
    loadSecrets({ secrets: [], dataDirectory });
    writeFileSync(path.join(dataDirectory, "secret"), "");
    expect(() => loadSecrets({ secrets: [], dataDirectory })).toThrow(/backup/);
    expect(readFileSync(path.join(dataDirectory, "secret"), "utf8")).toBe("");
  });
});
