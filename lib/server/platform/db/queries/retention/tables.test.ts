import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TABLES_OF_TRACES, TABLES_WITH_BLOBS } from "@/lib/server/platform/db/queries/retention/purge";
import { EXPIRING } from "./delete-rows";

/**
 * How the rows of each table go: `own` with what they belong to, by a foreign key or with the thread, files or person
 * whose purge names them; `trace` with their trace; `expires` some time after they are over; `kept` as long as the
 * installation, or until somebody deletes them.
 */
const FATES: Readonly<Record<string, string>> = {
  ...fates(
    "own",
    "account alert agent_alias agent_draft agent_version agent_version_file api_key approval board_card board_run channel_link",
    "compaction delivery_attempt file_version group_agent group_member mcp_authorization mcp_connection mcp_tool",
    "memory_version message note notification_choice project_instructions project_member push_subscription replay run run_event",
    "saved_prompt score skill_file skill_version thread thread_image trace_view transcript_message undo webhook_secret",
    "workspace workspace_file",
  ),
  ...fates("trace", "call run_step span"),
  ...fates(
    "expires",
    "channel_code channel_message decision_token delivery firing grant inbox_note kept_reply purged_run session share trace_export",
    "verification",
  ),
  ...fates(
    "kept",
    "agent audit_entry blob board budget budget_account budget_reservation channel dismissed_proposal first_time follow_up_call group",
    "http_tool lock mcp_server problem project provider rate_limit setting skill timer trace trigger user webhook",
  ),
};

function fates(fate: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((line) => line.split(" ")).map((name) => [name, fate]));
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

function tables(): Table[] {
  const schema = readFileSync("prisma/sqlite/schema.prisma", "utf8");
  return schema
    .split(/^model /m)
    .slice(1)
    .map((model) => ({
      name: model.split('@@map("')[1]?.split('"')[0] ?? "",
      columns: model.split("\n").map((line) => line.trim().split(" ")[0] ?? ""),
    }));
}

const withFate = (fate: string) => Object.keys(FATES).filter((name) => FATES[name] === fate);

test("every table has a way by which its rows go", () => {
  const names = tables().map(({ name }) => name);
  expect(names.filter((name) => FATES[name] === undefined)).toEqual([]);
  expect(Object.keys(FATES).filter((name) => !names.includes(name))).toEqual([]);
});

test("every table whose rows name a blob is looked through before a blob is deleted", () => {
  const naming = tables().filter(({ columns }) => columns.includes("blobHash"));
  expect(naming.map(({ name }) => name).toSorted()).toEqual([...TABLES_WITH_BLOBS].toSorted());
});

test("what goes with a trace, and what expires, is what the deletions name", () => {
  expect(withFate("trace").toSorted()).toEqual([...TABLES_OF_TRACES].toSorted());
  expect(withFate("expires").toSorted()).toEqual([...new Set(EXPIRING.map(({ table }) => table))].toSorted());
});
