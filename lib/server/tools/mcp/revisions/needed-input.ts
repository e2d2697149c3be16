import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject, type RequestId } from "@/lib/server/tools/mcp/reading/read-message";

/** The key in `_meta` by which a request names its call; elicitations for it carry the same. It is not sent. */
export const CALL_MARK = "ringmaster/call";

/** The key in `_meta` of an elicitation, and of a request that continues a call: the round that the call is in. */
export const ROUND_MARK = "ringmaster/round";

/** The longest round that is kept with a question. */
const MAX_KEPT_CHARS = 100_000;

/** What a server handed out in a round, and what it has been replied to so far. */
interface Round {
  readonly number: number;
  readonly inputRequests: JsonObject;
  readonly requestState?: unknown;
  readonly replies: JsonObject;
}

/** How often a call may need something of the client before it is done. */
const MAX_ROUNDS = 30;
/** The pause before a request that is to be sent again without anything new, times the round. */
const SENT_AGAIN_AFTER_MS = 250;

/** Asks the client for what a server of 2026-07-28 needs before it can answer. */
export interface NeededInput {
  /**
   * What a request is sent again with, as the result of its `round` wants; null if that is the answer. `call` is its
   * mark. Throws an Error if the server needs what is not offered.
   */
  nextRound(result: JsonObject, call: unknown, round: number): Promise<JsonObject | null>;
  /** The same for a call of another process, of which `kept` is what was kept with the last question; null for none. */
  continueRound(kept: unknown, call: unknown): Promise<{ readonly more: JsonObject; readonly round: number } | null>;
  /** Takes the client's reply to an elicitation; false if it is to one that the server sent in a request. */
  take(reply: JsonObject): boolean;
}

/** `deliver` gives the client a message. */
export function createNeededInput(deliver: (message: object) => void): NeededInput {
  const questions = new Map<RequestId, (reply: JsonObject) => void>();

  const elicit = async (params: unknown, call: unknown, round: Round): Promise<JsonObject> => {
    const id = `question-${crypto.randomUUID()}`;
    const { result } = await new Promise<JsonObject>((resolve) => {
      questions.set(id, resolve);
      const kept = JSON.stringify(round);
      const marks = { [CALL_MARK]: call, ...(kept.length > MAX_KEPT_CHARS ? {} : { [ROUND_MARK]: kept }) };
      const mark = call === undefined ? {} : { _meta: marks };
      deliver({ id, method: "elicitation/create", params: { ...(isObject(params) ? params : {}), ...mark } });
    });
    // The client could not read the question.
    return isObject(result) ? result : { action: "decline" };
  };

  const repliesTo = async (round: Round, call: unknown): Promise<JsonObject> => {
    const replies: Record<string, unknown> = { ...round.replies };
    for (const [key, one] of Object.entries(round.inputRequests)) {
      if (Object.hasOwn(replies, key)) continue;
      const { method, params } = isObject(one) ? one : {};
      if (method !== "elicitation/create") throw new Error(`The server wants ${method}, which is not offered.`);
      replies[key] = await elicit(params, call, { ...round, replies });
    }
    return replies;
  };

  const reply = async (round: Round, call: unknown): Promise<JsonObject> => {
    const { number, requestState } = round;
    if (number > MAX_ROUNDS) throw new Error("The server keeps asking without an end.");
    const inputResponses = await repliesTo(round, call);
    const hasReplies = Object.keys(inputResponses).length > 0;
    if (!hasReplies) await pause(SENT_AGAIN_AFTER_MS * number);
    return { ...(hasReplies ? { inputResponses } : {}), ...(requestState === undefined ? {} : { requestState }) };
  };

  return {
    async nextRound({ resultType, inputRequests, requestState }, call, number) {
      if (resultType !== "input_required") return null;
      return reply({ number, requestState, replies: {}, inputRequests: objectOr(inputRequests) }, call);
    },
    async continueRound(kept, call) {
      const round: unknown = typeof kept === "string" ? JSON.parse(kept) : null;
      if (!isObject(round)) return null;
      const { inputRequests, requestState, replies } = round;
      const number = Number(round.number);
      const read = { number, requestState, inputRequests: objectOr(inputRequests), replies: objectOr(replies) };
      return { more: await reply(read, call), round: number + 1 };
    },
    take(reply) {
      const question = questions.get(reply.id as RequestId);
      questions.delete(reply.id as RequestId);
      question?.(reply);
      return question !== undefined;
    },
  };
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
