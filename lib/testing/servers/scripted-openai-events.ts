/** A fault that a scripted server sends instead of a reply, or in the middle of one. */
export type ScriptedFault =
  | {
      readonly status: number;
      readonly message?: string;
      readonly type?: string;
      readonly code?: string;
      readonly retryAfter?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as is instead of the JSON error; `contentType` default text/html. Status 200 works too. */
      readonly body?: string;
      readonly contentType?: string;
    }
  /** The connection breaks after the text, or before anything is sent. */
  | { readonly kind: "cut" }
  /** Nothing more is sent after the text, and the connection stays open. */
  | { readonly kind: "silence" }
  /** The whole reply is sent, and the connection stays open. */
  | { readonly kind: "open-after-done" }
  /** The connection breaks after the finish reason, before usage and end. */
  | { readonly kind: "cut-after-finish" }
  /** The stream ends properly without a finish reason. */
  | { readonly kind: "no-finish" }
  /** After the text comes an event that is not JSON. */
  | { readonly kind: "invalid-json" }
  /** After the text comes JSON of another shape. */
  | { readonly kind: "wrong-types" }
  /** After the text comes an error event, as sent by some servers. */
  | { readonly kind: "error-event"; readonly message: string; readonly code?: string | number };

interface ScriptedServerCall {
  readonly name: string;
  /** An object, or the exact text of the arguments as written by the model. */
  readonly args?: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

export interface ScriptedAnswer {
  /** Sent word by word; an array is sent piece by piece. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedServerCall[];
  readonly usage?: {
    readonly input?: number;
    readonly cached?: number;
    readonly output?: number;
    readonly reasoning?: number;
  };
  readonly finishReason?: string;
  readonly fault?: ScriptedFault;
  /** The pause between pieces; default that of the server. */
  readonly eventDelayMs?: number;
  /** Nothing is sent before this resolves. */
  readonly gate?: PromiseLike<unknown>;
}

type Delta = Readonly<Record<string, unknown>>;

/** Every answer has its own id, because some clients treat two answers with the same id as one message. */
let answers = 0;

/** The server-sent events of one answer, and how its connection ends. */
export function toEvents(answer: ScriptedAnswer, model: string): { events: string[]; ending: "end" | "cut" | "open" } {
  const events: string[] = [];
  const base = { id: `chatcmpl-${++answers}`, object: "chat.completion.chunk", created: 0, model };
  const send = (value: unknown) =>
    events.push(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
  const sendDelta = (delta: Delta, finishReason: string | null = null) =>
    send({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] });

  sendDelta({ role: "assistant", content: "" });
  for (const piece of words(answer.reasoning)) sendDelta({ reasoning_content: piece });
  for (const piece of words(answer.text)) sendDelta({ content: piece });
  const fault = answer.fault && "kind" in answer.fault ? answer.fault : undefined;
  if (fault?.kind === "cut-after-finish") {
    sendDelta({}, "stop");
    return { events, ending: "cut" };
  }
  if (fault && fault.kind !== "open-after-done") return endWithFault(fault, { events, send });
  for (const delta of callDeltas(answer.calls ?? [])) sendDelta(delta);
  sendDelta({}, answer.finishReason ?? (answer.calls?.length ? "tool_calls" : "stop"));
  send({ ...base, choices: [], usage: toUsage(answer) });
  send("[DONE]");
  return { events, ending: fault ? "open" : "end" };
}

/** The same answer in one piece, for a request without streaming. */
export function toCompletion(answer: ScriptedAnswer, model: string): Delta {
  const { reasoning, calls = [], finishReason } = answer;
  const message = {
    role: "assistant",
    content: words(answer.text).join(""),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
  };
  return {
    id: `chatcmpl-${++answers}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason ?? (calls.length > 0 ? "tool_calls" : "stop") }],
    usage: toUsage(answer),
  };
}

function wholeCall(call: ScriptedServerCall, index: number) {
  return { id: idOf(call, index), type: "function", function: { name: call.name, arguments: argumentsOf(call) } };
}

function idOf({ id }: ScriptedServerCall, index: number): string {
  return id ?? `call_${index + 1}`;
}

function argumentsOf({ args }: ScriptedServerCall): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

function endWithFault(
  fault: Extract<ScriptedFault, { kind: string }>,
  { events, send }: { readonly events: string[]; readonly send: (value: unknown) => void },
): ReturnType<typeof toEvents> {
  if (fault.kind === "cut") return { events, ending: "cut" };
  if (fault.kind === "silence") return { events, ending: "open" };
  if (fault.kind === "invalid-json") send("{this is not json");
  if (fault.kind === "wrong-types") send({ id: 7, choices: "none" });
  if (fault.kind === "error-event") send({ error: { message: fault.message, code: fault.code } });
  return { events, ending: "end" };
}

/** The name is sent first and the arguments follow in two pieces, as from real servers. */
function callDeltas(calls: readonly ScriptedServerCall[]): Delta[] {
  return calls.flatMap((call, index) => {
    const text = argumentsOf(call);
    const half = Math.ceil(text.length / 2);
    const id = idOf(call, index);
    return [
      { tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] },
      { tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] },
      { tool_calls: [{ index, function: { arguments: text.slice(half) } }] },
    ];
  });
}

function toUsage({ usage = {} }: ScriptedAnswer) {
  const { input = 10, cached = 0, output = 5, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function words(text: string | readonly string[] | undefined): readonly string[] {
  if (typeof text !== "string") return text ?? [];
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
