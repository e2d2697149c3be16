import { expect, it } from "vitest";
import { secretPaths } from "@/lib/client/forms/secret-paths";
import type { McpServer } from "@/lib/schema/tools/mcp-server";
import { ChangedServer, NewServer, newServerForm, toSettings } from "./mcp-server-form";

const secret = { set: true as const, keyId: "k" };

it("keeps what is not touched, secrets among it", () => {
  const address = { transport: "http", url: "https://x.org/", auth: "bearer", scope: "shared" };
  const form = newServerForm({ ...address, token: secret, headers: { "X-Team": secret } } as unknown as McpServer);
  expect(toSettings(form)).toEqual({ ...address, headers: { "X-Team": { set: true } } });
  expect(toSettings({ ...form, token: "new", headers: `${form.headers}\nX-More: a: b` })).toMatchObject({
    token: "new",
    headers: { "X-Team": { set: true }, "X-More": "a: b" },
  });
});

it("keeps OAuth with its scope, and sends no token with it", () => {
  const server = { transport: "http", url: "https://x.org/", auth: "oauth", scope: "per_user" };
  const form = newServerForm(server as unknown as McpServer);
  expect(toSettings({ ...form, token: "left over" })).toEqual({ clientId: null, ...server, headers: {} });
  expect(toSettings({ ...form, auth: "none" })).toMatchObject({ auth: "none", scope: "shared" });
});

it("marks what the browser must not keep as secret, whether it is typed or sent", () => {
  for (const schema of [NewServer, ChangedServer]) {
    expect([...secretPaths(schema)].toSorted()).toEqual(["clientSecret", "env", "headers", "token"]);
  }
});

it("reads a program's lines", () => {
  const form = { ...newServerForm(), transport: "stdio" as const, command: " node ", args: "a\n\n b c " };
  expect(toSettings({ ...form, env: "KEY=a=b", mounts: "/srv/a\n/srv/b:rw", place: "network" })).toEqual({
    transport: "stdio",
    auth: "none",
    scope: "shared",
    command: "node",
    args: ["a", "b c"],
    env: { KEY: "a=b" },
    unsandboxed: false,
    network: true,
    mounts: [
      { path: "/srv/a", readOnly: true },
      { path: "/srv/b", readOnly: false },
    ],
  });
});
