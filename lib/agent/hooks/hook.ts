import type { Handler } from "@/lib/agent/compose";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { PendingReason, ToolOutcome } from "@/lib/agent/tools/tool";
import type { Message, ToolCall } from "@/lib/schema/messages/message";
import type { AnswerNotice } from "@/lib/schema/runs/notice-kind";
import type { RunError, RunStatus } from "@/lib/schema/runs/run";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { Usage } from "@/lib/schema/runs/usage";

/** How a segment ended. `added` are the run's messages, including the user's. */
export interface RunOutcome {
  readonly status: Extract<RunStatus, "completed" | "limit" | "waiting" | "cancelled" | "failed">;
  readonly added: readonly Message[];
  /** The last reply's text; empty if there was none. */
  readonly response: string;
  /** The reasons the calls are pending; only with status `waiting`. */
  readonly waitingFor?: readonly PendingReason[];
  /** Tells people why a limit ended the run or why there is no text (D-29). Never sent to the model. */
  readonly notice?: string;
  readonly noticeKind?: AnswerNotice;
  /** The agent's `default_response`, set if the last reply had no text (D-69). Never sent to the model. */
  readonly defaultResponse?: string;
  /** Set if the last reply was NO_REPLY: an empty response that needs no notice (D-40). */
  readonly silent?: true;
  readonly error?: RunError;
  readonly usage: Usage;
  /** Null if a price is unknown. */
  readonly costUsd: number | null;
  readonly steps: number;
}

/** An extension's file, relative to the extensions folder, with the hash of its content. */
export interface ExtensionSource {
  readonly file: string;
  readonly hash: string;
}

/**
 * Agent middleware (S0 hooks). Every phase is optional; a hook's phases are the methods it defines (D-15). Hooks run in
 * list order, so the first is the outermost ring. Build a hook per run: state in its closure belongs to that run.
 */
export interface Hook {
  readonly name: string;
  /** The file and version of an extension's hook; absent for built-in hooks. */
  readonly extension?: ExtensionSource;
  /** Runs at the start of every segment, in list order; must be repeatable. A throw fails the run. */
  beforeAgent?(context: RunContext): Promise<void>;
  /** Runs before every model call, on a copy; returns the request to send. A throw fails the run. */
  modifyRequest?(request: ModelRequest, context: RunContext): Promise<ModelRequest>;
  /** Wraps every model call. Skip `next` to answer in the model's place; call it again to retry. */
  wrapModelCall?(
    request: ModelRequest,
    next: Handler<ModelRequest, ModelReply>,
    context: RunContext,
  ): Promise<ModelReply>;
  /** Wraps every tool call; the calls of one reply run at the same time. A throw becomes the tool's error result. */
  wrapToolCall?(call: ToolCall, next: Handler<ToolCall, ToolOutcome>, context: RunContext): Promise<ToolOutcome>;
  /** Runs once when the run has ended, whatever its status. A throw is logged and the answer is kept. */
  afterAgent?(outcome: RunOutcome, context: RunContext): Promise<void>;
}
