import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { composer, lastReply, send, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

// The page asks a server again that is away.
test.use({ expectedErrors: [/status of 503 .*\/refresh/] });

const PROGRAM = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const tool = (name: string, args: Readonly<Record<string, unknown>> = {}) => ({
  calls: [{ name: `mcp__everything__${name}`, args }],
});

/** The reference server, which shows every part of the protocol; it says on standard error that it listens. */
async function startEverything(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.stderr === null) throw new Error("its standard error is read");
  await once(child.stderr, "data");
  child.stderr.resume();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("With server-everything a call shows its progress, its question is answered, its prompts and resources are offered, and a run goes on after it is killed", async ({
  page,
  installation,
  sparePort,
}) => {
  test.slow();
  let server = await startEverything(sparePort);
  const steps = [
    tool("trigger-long-running-operation", { duration: 6, steps: 6 }),
    { text: "It took a while." },
    tool("trigger-elicitation-request"),
    { text: "Thank you." },
    tool("trigger-long-running-operation", { duration: 60, steps: 30 }),
    { text: "I went on without it." },
  ];
  const config = { mcp_servers: ["everything"], tools: ["mcp__everything__*"], permissions: { allow: ["mcp__*"] } };
  await installation.addAgent("everything-agent", steps, config);
  const url = `http://127.0.0.1:${sparePort}/mcp`;
  try {
    await installation.call("POST", "/api/mcp-servers", { id: "everything", transport: "http", url });
    const listed = await installation.call("GET", "/api/mcp-servers/everything/tools");
    const { tools }: { tools: { name: string; hash: string }[] } = await listed.json();
    const accepted = tools.map(({ name, hash }) => ({ name, hash }));
    await installation.call("POST", "/api/mcp-servers/everything/accept", { tools: accepted });

    await test.step("The card says how far the call is", async () => {
      await startThread(page, "everything-agent", "Take your time");
      const reply = lastReply(page);
      await expect(reply.getByText(/^[1-5] of 6$/)).toBeVisible();
      await expect(reply.getByRole("progressbar")).toHaveAttribute("max", "6");
      await expect(await whenDone(page)).toContainText("It took a while.");
      await expect(reply.getByRole("progressbar")).toBeHidden();
    });

    await test.step("What it asks in the middle of a call is a question; a reload loses no answer", async () => {
      await send(page, "Ask me");
      const card = page.getByRole("region", { name: /^Question: Please provide inputs/ });
      const name = card.getByRole("group", { name: /full, legal name/ }).getByRole("textbox");
      await name.fill("Ada");
      await page.reload();
      await expect(name).toHaveValue("Ada");
      for (const group of await card.getByRole("group").all()) {
        const choices = group.getByRole("radio").or(group.getByRole("checkbox"));
        const field = group.getByRole("textbox");
        if ((await choices.count()) > 0) await choices.first().check();
        else if ((await field.inputValue()) === "") await field.fill("–");
      }
      await card.getByRole("button", { name: "Send answers" }).click();
      await expect(await whenDone(page)).toContainText("Thank you.");
    });

    await test.step("Its prompts are commands, its resources stand under @", async () => {
      await composer(page).fill("/everything");
      await expect(page.getByRole("option", { name: /everything:args-prompt/ })).toBeVisible();
      await page.getByRole("option", { name: /everything:args-prompt/ }).click();
      const dialog = page.getByRole("dialog", { name: "everything: args-prompt" });
      await dialog.getByRole("textbox", { name: "city" }).fill("Oslo");
      await dialog.getByRole("button", { name: "Insert into the message" }).click();
      await expect(composer(page)).toHaveValue("What's weather in Oslo?");
      await composer(page).fill("Read @architecture");
      await page
        .getByRole("option", { name: /architecture\.md/ })
        .first()
        .click();
      await expect(composer(page)).toHaveValue(/<mcp-resource server="everything" uri="demo:/);
    });

    await test.step("Killed in the middle of a call, the call fails and the run goes on", async () => {
      await send(page, "Once more, slowly");
      await expect(lastReply(page).getByText(/^[1-9] of 30$/)).toBeVisible();
      await kill(server);
      const reply = await whenDone(page);
      await expect(reply).toContainText("I went on without it.");
      await expect(reply).toContainText("failed");
      await page.goto("/admin/tools?tab=mcp&server=everything");
      await page.getByRole("button", { name: "Ask again" }).click();
      await expect(page.getByText(/^Away, noticed/).first()).toBeVisible();
      await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Close" }).click();
      server = await startEverything(sparePort);
      await page.getByRole("button", { name: "Ask again" }).click();
      await expect(page.getByText(/connected, protocol/)).toBeVisible();
    });
  } finally {
    await kill(server);
  }
});
