import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { type McpTestServer, startMcpTestServer } from "../../lib/testing/servers/mcp/mcp-test-server";
import { type PageServer, startPageServer } from "../../lib/testing/servers/page-server";
import { PUSH_CERTIFICATE } from "../../lib/testing/servers/push-server";
import { freePort } from "../../scripts/free-port";
import { startTestServer, type TestServer } from "../../scripts/testing/test-server";
import { createInstallation, type Installation, type Person } from "./installation";
import { type ScriptProvider, startScriptProvider } from "./script-provider";
import { watchPages } from "./watch-page";

interface WorkerFixtures {
  provider: ScriptProvider;
  /** An MCP server beside it, without tools until a journey sets some. */
  mcp: McpTestServer;
  /** Pages that agents may read, and a search over them. */
  web: PageServer;
  /** A port where a journey may start a server that agents reach. */
  sparePort: number;
  /** A server with the demo model and the scripted provider, shared by the journeys of a worker. */
  server: TestServer;
  installation: Installation;
  admin: Person;
}

interface TestFixtures {
  /** Errors of the console that the story provokes. */
  expectedErrors: readonly RegExp[];
  watched: undefined;
  /** A signed-in page of someone else, watched like `page`, which is the admin's. */
  openAs: (person: Person) => Promise<Page>;
}

/** A journey of a person at `page`, signed in as an admin. It fails when a page logs an error or calls another host. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  provider: [
    async ({ browserName: _ }, use) => {
      const provider = await startScriptProvider();
      await use(provider);
      await provider.close();
    },
    { scope: "worker" },
  ],
  mcp: [
    async ({ browserName: _ }, use) => {
      const mcp = await startMcpTestServer();
      await use(mcp);
      await mcp.close();
    },
    { scope: "worker" },
  ],
  web: [
    async ({ browserName: _ }, use) => {
      const web = await startPageServer();
      await use(web);
      await web.close();
    },
    { scope: "worker" },
  ],
  sparePort: [async ({ browserName: _ }, use) => use(await freePort()), { scope: "worker" }],
  server: [
    async ({ provider, mcp, web, sparePort }, use) => {
      const server = await startTestServer({
        RINGMASTER_ALLOWED_PRIVATE_HOSTS: `${mcp.host},${web.host},127.0.0.1:${sparePort}`,
        RINGMASTER_ADMIN_API_KEY: ADMIN_KEY,
        NODE_EXTRA_CA_CERTS: PUSH_CERTIFICATE,
        RINGMASTER_SCRIPTED_MODEL_URL: provider.url,
      });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  installation: [
    async ({ server, provider }, use) =>
      use(createInstallation({ url: server.url, dataDirectory: server.dataDirectory, key: ADMIN_KEY, provider })),
    { scope: "worker" },
  ],
  admin: [
    async ({ installation }, use) => use(await installation.addPerson("admin", "Ada Admin")),
    { scope: "worker" },
  ],
  expectedErrors: [[], { option: true }],
  baseURL: async ({ server }, use) => use(server.url),
  storageState: async ({ admin }, use) => use(admin.storageState),
  watched: [
    async ({ context, expectedErrors }, use) => {
      const watch = watchPages(context, expectedErrors);
      await use(undefined);
      expect(watch.problems).toEqual([]);
    },
    { auto: true },
  ],
  openAs: async ({ browser, server, expectedErrors }, use) => {
    const contexts: BrowserContext[] = [];
    const watches: { readonly problems: readonly string[] }[] = [];
    await use(async ({ storageState }) => {
      const context = await browser.newContext({ storageState, baseURL: server.url });
      contexts.push(context);
      watches.push(watchPages(context, expectedErrors));
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(watches.flatMap(({ problems }) => problems)).toEqual([]);
  },
});

const ADMIN_KEY = "rm_journeys_00000000000000000000";

export const expect = test.expect;
