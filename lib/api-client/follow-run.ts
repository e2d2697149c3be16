import { type ClientOptions, type RouteName, readReply, type SentInput, sendTo } from "./call-route";
import { followEvents, isPassingStatus, type StreamSource } from "./follow-events";
import { RingmasterError } from "./ringmaster-error";
import type { RunEvent, RunEventType } from "./run-event";

export interface FollowOptions {
  /** Aborting ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Only what comes after this event: the `after` of the last one known. */
  readonly after?: number | string | null | undefined;
}

/** An event of a stream, its data parsed. */
export interface StreamEvent {
  readonly id: string | null;
  readonly type: string | null;
  readonly data: unknown;
}

const ENDS: readonly RunEventType[] = ["run.completed", "run.failed", "run.cancelled"];

/**
 * The events of a run from its start until it has ended, or waits for a person who was not asked in the loop: after a
 * `run.waiting` whose interrupts the loop decides, it goes on. A lost connection is opened again where it broke off.
 */
export async function* followRun(
  client: ClientOptions,
  runId: string,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  const source = sourceOf(client, "GET /api/runs/{runId}/events", { path: { runId } });
  let last: RunEventType | null = null;
  for await (const update of followEvents(source, toInner(options))) {
    if (update.kind === "lost" && last === "run.waiting" && (await stillWaits(client, runId))) return;
    if (update.kind !== "event") continue;
    const { event: type, id, data } = update.event;
    const event = { type, after: id === undefined ? null : Number(id), ...JSON.parse(data) } as RunEvent;
    last = event.type;
    yield event;
    if (ENDS.includes(last)) return;
  }
}

/** The events of any other stream of the API, until `signal` aborts. */
export async function* followStream(
  client: ClientOptions,
  name: RouteName,
  { after, signal, ...input }: SentInput & FollowOptions,
): AsyncGenerator<StreamEvent> {
  for await (const update of followEvents(sourceOf(client, name, input), toInner({ after, signal }))) {
    if (update.kind !== "event") continue;
    const { id = null, event: type = null, data } = update.event;
    yield { id, type, data: parse(data) };
  }
}

/** Streams end with a word that is no JSON. */
function parse(data: string): unknown {
  return data === "[DONE]" ? data : JSON.parse(data);
}

function sourceOf(client: ClientOptions, name: RouteName, input: SentInput): StreamSource {
  return { open: (init) => sendTo(client, name, { ...input, ...init }), isPassing };
}

function isPassing(error: unknown): boolean {
  return !(error instanceof RingmasterError) || isPassingStatus(error.status);
}

async function stillWaits(client: ClientOptions, runId: string): Promise<boolean> {
  try {
    const reply = await readReply(await sendTo(client, "GET /api/runs/{runId}", { path: { runId } }));
    return typeof reply === "object" && reply !== null && "status" in reply && reply.status === "waiting";
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
}

function toInner({ after = null, signal }: FollowOptions) {
  return { signal: signal ?? new AbortController().signal, cursor: after === null ? null : String(after) };
}
