import { beforeEach, expect, test } from "vitest";
import { parseEnvironment } from "@/lib/server/platform/env";
import { createLogger } from "@/lib/server/platform/logger";
import { forgetProcessStates, processState } from "@/lib/server/platform/process-state";
import { redactSecrets, rememberSecrets } from "./known-secrets";
import { secretBox } from "./secrets";

const ENVIRONMENT = {
  RINGMASTER_SECRET: "installation-secret-0123",
  RINGMASTER_ADMIN_API_KEY: "rm-admin-0123456789abcdefg",
  RINGMASTER_ADMIN_PASSWORD: "correct horse battery",
  OPENAI_API_KEY: "sk-openai-0123456789",
  OPENAI_COMPATIBLE_BASE_URL: "http://me:address-pass-1@127.0.0.1:1/v1",
  DATABASE_URL: "postgresql://ringmaster:p%40ssword-12345@127.0.0.1/db",
};

beforeEach(() => {
  forgetProcessStates();
  processState("environment", () => parseEnvironment(ENVIRONMENT, "/nowhere"));
});

const isRedacted = (secret: string) => redactSecrets(`<${secret}>`) === "<[redacted]>";

test.each([...Object.values(ENVIRONMENT).slice(0, 4), "address-pass-1", "p@ssword-12345", "p%40ssword-12345"])(
  "%s of the environment is a secret",
  (secret) => expect(isRedacted(secret)).toBe(true),
);

const SEALED = {
  "a plain key": ["sk-plain-0123456789", ["sk-plain-0123456789"], []],
  "an MCP server": [
    JSON.stringify({
      headers: { authorization: "Bearer header-0123456789", accept: "application/json", "x-team": "team9-0123456789" },
      env: { GITHUB_TOKEN: "only-letters-in-it", PATH: "/usr/local/bin:/usr/bin", LANGUAGE: "english-english" },
      token: "bearer-0123456789",
      client: { id: "client-id-is-public-1", secret: "client-secret-0123" },
    }),
    ["header-0123456789", "team9-0123456789", "only-letters-in-it", "bearer-0123456789", "client-secret-0123"],
    ["application/json", "/usr/local/bin:/usr/bin", "english-english", "client-id-is-public-1"],
  ],
  "tokens of a person": [
    JSON.stringify({
      authority: { url: "https://auth.example.org/1", metadata: { token_endpoint: "https://auth.example.org/token" } },
      tokens: { access_token: "access-0123456789", refresh_token: "refresh-0123456789", token_type: "Bearer-like-123" },
    }),
    ["access-0123456789", "refresh-0123456789"],
    ["https://auth.example.org/token", "Bearer-like-123"],
  ],
  "a mail channel": [
    JSON.stringify({
      kind: "email",
      address: "bot1@example.org",
      imap: { host: "imap1.example.org", user: "bot1@example.org", password: "imap-password-1" },
    }),
    ["imap-password-1"],
    ["imap1.example.org", "bot1@example.org"],
  ],
} as const;

test.each(Object.entries(SEALED))(
  "what %s hides is a secret, and nothing else of it",
  (_name, [plain, secrets, others]) => {
    rememberSecrets([plain]);
    expect(secrets.filter((secret) => !isRedacted(secret))).toEqual([]);
    expect(others.filter(isRedacted)).toEqual([]);
  },
);

test("what is stored or read is a secret from then on, in logs as well", () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const secret = 'stored/"secret"-0123';
  const sealed = secretBox().encrypt(secret, "test");
  log.info({ answer: JSON.stringify({ secret }) }, `it said ${secret}`);
  expect(lines.join("")).not.toContain("-0123");
  expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
  expect(isRedacted("installation-secret-0123")).toBe(true);
  expect(secretBox().decrypt(sealed, "test")).toBe(secret);
});

test("secrets of fewer than 12 characters are not looked for", () => {
  rememberSecrets(["elevenchar1"]);
  expect(isRedacted("elevenchar1")).toBe(false);
});
