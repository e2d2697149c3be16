import { expect, it } from "vitest";
import type { McpServer } from "@/lib/schema/tools/mcp-server";
import { KeptServerForm, newServerForm, toSettings } from "./mcp-server-form";

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
  expect(toSettings({ ...form, access: "none" })).toMatchObject({ auth: "none", scope: "shared" });
});

it("gives the browser no secret to keep", () => {
  const typed = {
    ...newServerForm(),
    token: "t",
    clientSecret: "c",
    headers: "X: y",
    env: "A=b",
    url: "https://a.org/",
  };
  const kept = JSON.stringify(KeptServerForm.parse(typed));
  for (const secret of ['"t"', '"c"', "X: y", "A=b"]) expect(kept).not.toContain(secret);
  expect(kept).toContain("https://a.org/");
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
