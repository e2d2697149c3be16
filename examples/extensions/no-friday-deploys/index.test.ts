import assert from "node:assert/strict";
import { test } from "node:test";
import { call, runHook } from "ringmaster/testing";
import noFridayDeploys from "./index.ts";

const deploy = { model: [call("execute", { command: "deploy" }), "Done."], tools: { execute: "deployed" } };

test("nothing is deployed on a Friday", async () => {
  const run = await runHook(noFridayDeploys, { ...deploy, now: "2026-01-02T12:00:00" });
  assert.match(run.results[0]?.error ?? "", /^Nothing is deployed on a Friday/);
});

test("on other days the call runs", async () => {
  const run = await runHook(noFridayDeploys, { ...deploy, now: "2026-01-05T12:00:00" });
  assert.equal(run.results[0]?.output, "deployed");
});

test("tools that are not named run on every day", async () => {
  const run = await runHook(noFridayDeploys, {
    ...deploy,
    config: { tools: ["send_mail"] },
    now: "2026-01-02T12:00:00",
  });
  assert.equal(run.results[0]?.output, "deployed");
});
