import { describe, expect, test } from "vitest";
import { DONE, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";

const { odd, own, answer, add, acceptReadable, stateOf } = await oddMcpInstallation();

describe("a server that has forgotten its sessions", () => {
  const acting = { name: "good", inputSchema: { type: "object" }, annotations: { destructiveHint: false } };
  const ready = async () => {
    answer("tools/list", { result: { tools: [acting] } });
    answer("tools/call", { result: { content: [DONE] } });
    await add();
    await acceptReadable();
    const agent = await own.addAgent();
    await own.say(agent, { name: "mcp__own__good" });
    odd.reached.length = 0;
    return agent;
  };
  const calls = () => odd.reached.filter((method) => method === "tools/call").length;

  test.each([
    [404, JSON.stringify({ jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null })],
    [404, "<html><title>404 Not Found</title></html>"],
    [410, ""],
    [400, JSON.stringify({ error: { code: -32_000, message: "Bad Request: No valid session ID provided" } })],
  ])("is asked again in a new one, and nobody notices: %i %s", async (status, body) => {
    const agent = await ready();
    odd.refusal = { status, body };
    odd.sessions.clear();
    const run = await own.say(agent, { name: "mcp__own__good" }, { name: "mcp__own__good" });
    expect(run.tool_calls.map(({ output }) => output)).toEqual(["ORDER 4 SHIPPED", "ORDER 4 SHIPPED"]);
    expect(calls()).toBe(2);
  });

  test("between the check of a tool and its call is asked again, once, and checked again", async () => {
    const agent = await ready();
    odd.replies.set("tools/list", ({ before }) => {
      if (before === 0) odd.sessions.clear();
      return { result: { tools: [before === 0 ? acting : { ...acting, description: "Changed." }] } };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toContain("withdrawn until an administrator has looked");
    expect(calls()).toBe(0);
  });

  test("and forgets each new one is given up with a sentence", async () => {
    const agent = await ready();
    odd.replies.set("tools/list", () => {
      odd.sessions.clear();
      return { result: { tools: [acting] } };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toBe("The server keeps forgetting its sessions.");
    expect(calls()).toBe(0);
  });

  test("while a call runs does not get it again, and its fate is unknown", async () => {
    const agent = await ready();
    odd.replies.set("tools/call", () => {
      odd.sessions.clear();
      return { events: [], isBroken: true };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toMatch(/does not answer.*\nThe call may have run: check before repeating it\.$/);
    expect(calls()).toBe(1);
  });

  test("is asked again for its tools", async () => {
    await ready();
    odd.sessions.clear();
    expect((await own.refreshServer()).status).toBe(200);
    expect(await stateOf()).toEqual({ good: "pinned" });
  });

  test("and is gone altogether is away, and its call has not run", async () => {
    const agent = await ready();
    odd.sessions.clear();
    answer("initialize", { status: 503, type: "text/html", body: "<html><title>Deploying</title></html>" });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toMatch(/own does not answer \(It answered with status 503: Deploying\)/);
  });
});
