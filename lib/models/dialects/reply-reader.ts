import type { JSONObject, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { CallAssembly, type OpenCall } from "./call-assembly";
import { EndTokens } from "./end-tokens";
import { isObject, type JsonObject, type WireEvent } from "./event-reader";
import { readFinishReason } from "./finish-reason";
import { OpaqueFields } from "./opaque-fields";
import { type CallPiece, type Delta, readDelta } from "./read-delta";
import { findUsage, isNothing, readUsage } from "./read-usage";
import { ReasoningDetails } from "./reasoning-details";
import { errorIn } from "./stream-error";
import { CALL_HEAD, mayBeginCall, readTextCalls } from "./text-calls/text-calls";
import { ThoughtFilter, type ThoughtPiece } from "./thought-filter";

/** The key of our own metadata, in reasoning and calls that this provider wants back. */
export const KEPT = "chat";

/** A part that says: all text so far was thought. */
export const TAKE_BACK: LanguageModelV4StreamPart = { type: "raw", rawValue: "take back" };

export interface ReplyReaderOptions {
  /** Thoughts may stand in the text. */
  readonly thoughtsInText: boolean;
  /** Calls written as text are calls. */
  readonly callsInText: boolean;
  readonly toolNames: ReadonlySet<string>;
  /** Provider, origin and model: what is kept for the provider goes back only to the same three. */
  readonly writer: string;
  createId(): string;
}

/** Turns the events of one chat completion into the SDK's parts. Adjacent text that arrives together is one part. */
export class ReplyReader {
  #parts: LanguageModelV4StreamPart[] = [];
  readonly #calls: CallAssembly;
  readonly #thoughts: ThoughtFilter | null;
  readonly #endTokens = new EndTokens();
  readonly #details = new ReasoningDetails();
  readonly #opaque = new OpaqueFields();
  #reasoningCount = 0;
  #open: "text" | "reasoning" | null = null;
  #choiceIndex: unknown;
  #usage: JsonObject | undefined;
  #finish: ReturnType<typeof readFinishReason>;
  #hasRefusal = false;
  #hasContent = false;
  /** The answer so far. */
  #text = "";
  /** Its first characters; reading them from the whole would cost its length for each piece. */
  #head = "";
  /** Its beginning, while that may be a call: what turns out to be one is never shown. */
  #heldText = "";
  /** The thoughts so far, in which some models write their calls. */
  #thoughtPieces: string[] = [];
  /** The provider said that the reply is whole, or sent it in one piece. */
  #isDone = false;
  #isDocument = false;
  /** A piece of a reply was read, if only an empty one. */
  hasBegun = false;
  /** An error was reported: nothing after it counts. */
  hasFailed = false;

  private readonly options: ReplyReaderOptions;

  constructor(options: ReplyReaderOptions) {
    this.options = options;
    this.#calls = new CallAssembly(options.toolNames);
    this.#thoughts = options.thoughtsInText ? new ThoughtFilter() : null;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** `[DONE]` or a finish reason ends a reply; without either it was cut. */
  get isWhole(): boolean {
    return this.hasBegun && (this.#isDone || this.#isDocument || this.#finish !== undefined);
  }

  add(event: WireEvent): void {
    if (this.hasFailed) return;
    if (event.kind === "done") this.#isDone = true;
    else if (event.kind === "error") this.#fail(event.error);
    else this.#addValue(event.value);
  }

  take(): LanguageModelV4StreamPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** The calls and the end; only if the reply is whole. */
  end(unreadable: number): LanguageModelV4StreamPart[] {
    if (this.#thoughts) this.#addPieces(this.#thoughts.end());
    this.#addText(this.#endTokens.end());
    const textCalls = this.#textCalls();
    this.#showHeld(textCalls.mayRun === true ? { [KEPT]: { isHeld: true } } : undefined);
    this.#close();
    this.#keepFields();
    for (const call of this.#calls.calls) this.#endCall(call);
    const unified = this.#hasRefusal ? "content-filter" : this.#calls.calls.length > 0 ? "tool-calls" : "stop";
    const isPlainStop = this.#finish === undefined || this.#finish.unified === "stop";
    const finishReason = isPlainStop ? ({ unified, raw: this.#finish?.raw } as const) : this.#finish;
    this.#parts.push({
      type: "finish",
      finishReason: finishReason ?? { unified, raw: undefined },
      usage: readUsage(this.#usage),
      providerMetadata: { [KEPT]: { unreadable, ...textCalls } },
    });
    return this.take();
  }

  /** Calls written as text. They may run only if the reply is nothing else. */
  #textCalls(): JSONObject {
    const { toolNames, callsInText } = this.options;
    if (this.#calls.calls.length > 0) return {};
    const isThought = this.#text.trim() === "";
    const found = readTextCalls(isThought ? this.#thoughtPieces.join("") : this.#text, toolNames);
    if (found === null || (isThought && found.calls.length === 0)) return {};
    const calls = found.calls.map((call) => ({ ...call, id: this.options.createId() }));
    const isAnswer = !isThought && !found.isBesideText;
    return {
      // They came as JSON.
      textCalls: calls as unknown as JSONObject[],
      mayRun: found.isTagged && isAnswer && callsInText,
      isBeside: !isAnswer,
    };
  }

  #addValue(given: JsonObject): void {
    const value = unwrapped(given);
    const error = errorIn(value);
    if (error !== undefined) {
      this.#fail(error);
      return;
    }
    const choice = this.#choiceOf(value);
    const usage = findUsage(value, choice);
    if (usage && (this.#usage === undefined || !isNothing(usage))) this.#usage = usage;
    if (choice === undefined) return;
    this.hasBegun = true;
    this.#isDocument ||= !isObject(choice.delta) && isObject(choice.message) && !/chunk/.test(String(value.object));
    this.#addChoice(choice);
    // Some servers put the end beside the choices, Ollama's way.
    const end = value.done === true ? "stop" : undefined;
    this.#finish ??= readFinishReason(value.finish_reason ?? end);
  }

  #choiceOf({ choices, message, done }: JsonObject): JsonObject | undefined {
    const all = listOf(choices).filter(isObject);
    const [first] = all;
    // Ollama's own format, from an address without /v1.
    if (first === undefined)
      return isObject(message) ? { delta: message, finish_reason: done === true ? "stop" : "" } : undefined;
    this.#choiceIndex ??= first.index ?? 0;
    return all.find(({ index = 0 }) => String(index) === String(this.#choiceIndex));
  }

  #addChoice(choice: JsonObject): void {
    const { delta, message, text } = choice;
    // Some servers tell the calls only in a whole message beside the last, empty piece.
    if (isObject(delta) && !(isObject(message) && Object.keys(delta).length === 0)) this.#addDelta(readDelta(delta));
    else if (typeof delta === "string") this.#addWritten(delta);
    else if (isObject(message)) this.#addWhole(message);
    else if (typeof text === "string") this.#addWritten(text);
    this.#finish = readFinishReason(choice.finish_reason ?? choice.finishReason) ?? this.#finish;
  }

  /** A whole message after its own pieces only repeats them, but for calls of which no piece came. */
  #addWhole(message: JsonObject): void {
    const whole = readDelta(message);
    if (!this.#hasContent) this.#addDelta(whole);
    else if (this.#calls.calls.length === 0) for (const piece of whole.calls) this.#addCall(piece);
  }

  #addDelta(delta: Delta): void {
    if (delta.details.length > 0) this.#details.add(delta.details);
    if (delta.opaque) this.#opaque.add(delta.opaque);
    if (delta.reasoning !== "") {
      this.#thoughts?.decide();
      this.#addReasoning(delta.reasoning, this.#kept({ field: delta.reasoningField }));
    }
    if (delta.text !== "") this.#addWritten(delta.text);
    if (delta.refusal !== "") {
      this.#hasRefusal = true;
      this.#addText(delta.refusal);
    }
    for (const piece of delta.calls) this.#addCall(piece);
  }

  #addWritten(text: string): void {
    if (this.#thoughts) this.#addPieces(this.#thoughts.push(text));
    else this.#addText(text);
  }

  #addPieces(pieces: readonly ThoughtPiece[]): void {
    for (const piece of pieces) {
      if (piece.kind === "take back") this.#takeBack();
      else if (piece.kind === "text") this.#addText(this.#endTokens.push(piece.text));
      // Without metadata: what the server took for text does not go back as reasoning.
      else this.#addReasoning(piece.text, undefined);
    }
  }

  #takeBack(): void {
    this.#addText(this.#endTokens.end());
    this.#showHeld();
    this.#text = "";
    this.#head = "";
    this.#parts.push(TAKE_BACK);
  }

  #addText(text: string): void {
    if (text === "") return;
    this.#hasContent = true;
    const isBeginning = this.#heldText.length === this.#text.length;
    this.#text += text;
    if (this.#head.length < CALL_HEAD) this.#head += text.slice(0, CALL_HEAD);
    if (isBeginning && this.options.toolNames.size > 0 && mayBeginCall(this.#head)) this.#heldText += text;
    else this.#showText(this.#takeHeld() + text);
  }

  #takeHeld(): string {
    const held = this.#heldText;
    this.#heldText = "";
    return held;
  }

  /** `providerMetadata` says that it is still not for people: only the run knows whether it is a call. */
  #showHeld(providerMetadata?: SharedV4ProviderMetadata): void {
    const held = this.#takeHeld();
    if (held !== "") this.#showText(held, providerMetadata);
  }

  #showText(text: string, providerMetadata?: SharedV4ProviderMetadata): void {
    const last = this.#parts.at(-1);
    if (last?.type === "text-delta") {
      last.delta += text;
      return;
    }
    if (this.#open !== "text") {
      this.#close();
      this.#parts.push({ type: "text-start", id: "text" });
      this.#open = "text";
    }
    this.#parts.push({
      type: "text-delta",
      id: "text",
      delta: text,
      ...(providerMetadata ? { providerMetadata } : {}),
    });
  }

  #addReasoning(text: string, providerMetadata: SharedV4ProviderMetadata | undefined): void {
    this.#addText(this.#endTokens.end());
    this.#showHeld();
    this.#hasContent = true;
    this.#thoughtPieces.push(text);
    const last = this.#parts.at(-1);
    if (last?.type === "reasoning-delta") {
      last.delta += text;
      return;
    }
    if (this.#open !== "reasoning") {
      this.#close();
      this.#reasoningCount += 1;
      this.#open = "reasoning";
      this.#parts.push({
        type: "reasoning-start",
        id: this.#reasoningId,
        ...(providerMetadata ? { providerMetadata } : {}),
      });
    }
    this.#parts.push({ type: "reasoning-delta", id: this.#reasoningId, delta: text });
  }

  get #reasoningId(): string {
    return `reasoning-${this.#reasoningCount}`;
  }

  #close(): void {
    if (this.#open === "text") this.#parts.push({ type: "text-end", id: "text" });
    if (this.#open === "reasoning") this.#parts.push({ type: "reasoning-end", id: this.#reasoningId });
    this.#open = null;
  }

  /** What goes back with the whole message is kept with its last thought. */
  #keepFields(): void {
    const details = this.#details.joined();
    const opaque = this.#opaque.joined();
    if (details.length === 0 && opaque === undefined) return;
    if (this.#reasoningCount === 0) this.#reasoningCount = 1;
    const kept = this.#kept({ details: details.length > 0 ? details : undefined, opaque });
    this.#parts.push({ type: "reasoning-end", id: this.#reasoningId, providerMetadata: kept });
  }

  #kept(values: Readonly<Record<string, unknown>>): SharedV4ProviderMetadata {
    const given = Object.entries({ ...values, writer: this.options.writer }).filter(([, value]) => value !== undefined);
    // Only JSON is kept: it came as JSON.
    return { [KEPT]: Object.fromEntries(given) as JSONObject };
  }

  #addCall(piece: CallPiece): void {
    this.#hasContent = true;
    if (this.#thoughts) {
      this.#addPieces(this.#thoughts.end());
      this.#thoughts.decide();
    }
    this.#addText(this.#endTokens.end());
    this.#showHeld();
    const call = this.#calls.add(piece);
    if (call.isAnnounced) {
      this.#addArguments(call.id, piece.text);
      return;
    }
    if (call.name === "" || !this.#isNameWhole(call)) return;
    this.#announce(call);
  }

  /** A name that no tool has may still be arriving, until its arguments do. */
  #isNameWhole({ name, text }: OpenCall): boolean {
    return text !== "" || this.options.toolNames.has(name);
  }

  #announce(call: OpenCall): void {
    this.#close();
    call.isAnnounced = true;
    if (call.id === "") call.id = this.options.createId();
    this.#parts.push({ type: "tool-input-start", id: call.id, toolName: call.name });
    this.#addArguments(call.id, call.text);
  }

  #addArguments(id: string, text: string): void {
    if (text === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === "tool-input-delta" && last.id === id) last.delta += text;
    else this.#parts.push({ type: "tool-input-delta", id, delta: text });
  }

  #endCall(call: OpenCall): void {
    if (!call.isAnnounced) this.#announce(call);
    this.#parts.push({ type: "tool-input-end", id: call.id });
    this.#parts.push({
      type: "tool-call",
      toolCallId: call.id,
      toolName: call.name,
      input: call.text,
      ...(call.extra === undefined && call.fields === undefined
        ? {}
        : { providerMetadata: this.#kept({ extra: call.extra, fields: call.fields }) }),
    });
  }

  #fail(error: unknown): void {
    this.hasFailed = true;
    this.#parts.push({ type: "error", error });
  }
}

const WRAPPERS = ["data", "result", "response", "output", "body"];

/** Some gateways put the server's answer into an envelope of their own. */
function unwrapped(value: JsonObject): JsonObject {
  if (value.choices !== undefined) return value;
  const inner = WRAPPERS.map((field) => value[field]).find((one) => isObject(one) && isObject(listOf(one.choices)[0]));
  return isObject(inner) ? { ...value, ...inner } : value;
}

/** A list, its one entry, or an object of entries by their index. */
function listOf(choices: unknown): readonly unknown[] {
  if (Array.isArray(choices)) return choices;
  const isByIndex = isObject(choices) && "0" in choices;
  return isByIndex ? Object.values(choices) : [choices];
}
