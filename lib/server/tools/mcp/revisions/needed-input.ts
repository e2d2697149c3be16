import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject, type RequestId } from "@/lib/server/tools/mcp/reading/read-message";

/** The key in `_meta` by which a request names its call; elicitations for it carry the same. It is not sent. */
export const CALL_MARK = "ringmaster/call";

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
  /** Takes the client's reply to an elicitation; false if it is to one that the server sent in a request. */
  take(reply: JsonObject): boolean;
}

/** `deliver` gives the client a message. */
export function createNeededInput(deliver: (message: object) => void): NeededInput {
  const questions = new Map<RequestId, (reply: JsonObject) => void>();

  const elicit = async (params: unknown, call: unknown): Promise<JsonObject> => {
    const id = `question-${crypto.randomUUID()}`;
    const { result } = await new Promise<JsonObject>((resolve) => {
      questions.set(id, resolve);
      const mark = call === undefined ? {} : { _meta: { [CALL_MARK]: call } };
      deliver({ id, method: "elicitation/create", params: { ...(isObject(params) ? params : {}), ...mark } });
    });
    // The client could not read the question.
    return isObject(result) ? result : { action: "decline" };
  };

  const repliesTo = async (needed: JsonObject, call: unknown): Promise<JsonObject> => {
    const replies: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(needed)) {
      const { method, params } = isObject(one) ? one : {};
      if (method !== "elicitation/create") throw new Error(`The server wants ${method}, which is not offered.`);
      replies[key] = await elicit(params, call);
    }
    return replies;
  };

  return {
    async nextRound({ resultType, inputRequests, requestState }, call, round) {
      if (resultType !== "input_required") return null;
      if (round > MAX_ROUNDS) throw new Error("The server keeps asking without an end.");
      const inputResponses = await repliesTo(isObject(inputRequests) ? inputRequests : {}, call);
      const hasReplies = Object.keys(inputResponses).length > 0;
      if (!hasReplies) await pause(SENT_AGAIN_AFTER_MS * round);
      return { ...(hasReplies ? { inputResponses } : {}), ...(requestState === undefined ? {} : { requestState }) };
    },
    take(reply) {
      const question = questions.get(reply.id as RequestId);
      questions.delete(reply.id as RequestId);
      question?.(reply);
      return question !== undefined;
    },
  };
}
