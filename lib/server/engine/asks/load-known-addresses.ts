import { z } from "zod";
import type { KnownAddresses } from "@/lib/permissions/known-addresses";
import type { RunOriginKind } from "@/lib/schema/runs/run";
import { RunEvent } from "@/lib/schema/runs/run-event";
import { ToolDisplay, WEB_SEARCH } from "@/lib/schema/tools/tool-display";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { selectResultsInTree, selectTextsOfPeople } from "@/lib/server/platform/db/queries/asks";

/** Runs whose messages a person wrote: the prompt of a schedule too, but not what comes with a heartbeat or a webhook. */
const BY_PEOPLE = ["chat", "api", "channel", "schedule", "replay"] as const satisfies RunOriginKind[];

interface AskingRun {
  readonly id: string;
  readonly rootRunId: string | null;
}

/**
 * What people wrote in the conversation that the run belongs to (its own prompts, where a model wrote them, do not
 * count), and what searches in the tree of the run have found.
 */
export async function loadKnownAddresses(database: Database, { id, rootRunId }: AskingRun): Promise<KnownAddresses> {
  const root = await database.run.findUnique({
    where: { id: rootRunId ?? id },
    select: { id: true, threadId: true, projectId: true, origin: true, originDetails: true, input: true },
  });
  if (root === null) return { texts: [], found: [], allowedTools: [] };
  const [said, template, instructions, results, allowedTools] = await Promise.all([
    textsOfPeople(database, root.threadId),
    templateOf(database, root.originDetails),
    instructionsOf(database, root.projectId),
    selectResultsInTree(database, root.id, WEB_SEARCH),
    toolsAllowed(database, root),
  ]);
  const sent = BY_PEOPLE.some((origin) => origin === root.origin) ? sentWith(root.input) : [];
  return {
    texts: [...new Set([...said, ...sent, ...template, ...instructions])],
    found: results.flatMap(addressesFound),
    allowedTools,
  };
}

/** Of those that reach a service outside: the ones that a person allowed a call of in the thread or below this run. */
async function toolsAllowed(
  database: Database,
  root: { readonly id: string; readonly threadId: string },
): Promise<string[]> {
  const allowed = await database.approval.findFirst({
    where: {
      kind: "approval",
      tool: WEB_SEARCH,
      status: { in: ["approved", "edited"] },
      OR: [{ threadId: root.threadId }, { run: { rootRunId: root.id } }],
    },
    select: { tool: true },
  });
  return allowed === null ? [] : [allowed.tool];
}

/** What people wrote in the thread, their answers and edits included. */
export function textsOfPeople(database: Database, threadId: string): Promise<string[]> {
  return selectTextsOfPeople(database, threadId, BY_PEOPLE);
}

function sentWith(input: string): string[] {
  const { messages } = RunInput.parse(JSON.parse(input));
  return messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
}

const OfTrigger = z.object({ triggerId: z.string() });
const WithPrompt = z.object({ prompt: z.string() });

/** What a person wrote into the trigger, such as the template of a webhook; what arrived with it is not theirs. */
async function templateOf(database: Database, details: string | null): Promise<string[]> {
  const origin = OfTrigger.safeParse(details === null ? null : JSON.parse(details));
  if (!origin.success) return [];
  const trigger = await database.trigger.findUnique({
    where: { id: origin.data.triggerId },
    select: { config: true },
  });
  const config = WithPrompt.safeParse(trigger === null ? null : JSON.parse(trigger.config));
  return config.success ? [config.data.prompt] : [];
}

async function instructionsOf(database: Database, projectId: string | null): Promise<string[]> {
  if (projectId === null) return [];
  const latest = await database.projectInstructions.findFirst({
    where: { projectId },
    orderBy: { number: "desc" },
    select: { text: true },
  });
  return latest === null ? [] : [latest.text];
}

function addressesFound(data: string): string[] {
  const event = RunEvent.parse(JSON.parse(data));
  if (event.type !== "tool.result" || event.result.name !== WEB_SEARCH || event.result.error !== undefined) return [];
  const display = ToolDisplay.safeParse(event.result.display);
  return display.success && display.data.kind === "web-hits" ? display.data.hits.map(({ url }) => url) : [];
}
