export type JsonObject = Readonly<Record<string, unknown>>;

/** One thing that a provider's answer says. `error`: the server called it an error, whatever its shape. */
export type WireEvent =
  | { readonly kind: "value"; readonly value: JsonObject }
  | { readonly kind: "done" }
  | { readonly kind: "error"; readonly error: unknown };

/** A multi-line event or a reply in one piece is dropped beyond this; the most that an agent may allow, plus overhead. */
const MAX_OPEN_CHARS = 40_000_000;
/** The fields by which a line is an event of its own, even where blank lines between events are missing. */
const OWN_FIELDS = ["choices", "error", "usage", "object", "detail"];
const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = "\r";

/**
 * Reads the text of an answer as it arrives: server-sent events with any line ends, with or without blank lines between
 * them, single JSON lines, or one JSON document. What cannot be read is counted and passed over.
 */
export class EventReader {
  /** Events that were not JSON objects. */
  unreadable = 0;
  /** Whether anything was understood. */
  hasRead = false;
  #events: WireEvent[] = [];
  /** The beginning of a line whose end has not arrived; joined once, so that a long line costs its length. */
  #lineParts: string[] = [];
  #endedWithReturn = false;
  #open: string[] = [];
  #openChars = 0;
  /** The open lines are not `data:` lines but a document, which may contain blank lines. */
  #isDocument = false;
  #name = "";

  add(text: string): WireEvent[] {
    let from = this.#endedWithReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#endedWithReturn = false;
    for (let at = lineEnd(text, from); at >= 0; at = lineEnd(text, from)) {
      this.#addLine(this.#wholeLine(text.slice(from, at)));
      const isReturn = text[at] === CARRIAGE_RETURN;
      if (isReturn && at + 1 === text.length) this.#endedWithReturn = true;
      from = isReturn && text[at + 1] === "\n" ? at + 2 : at + 1;
    }
    if (from < text.length) this.#lineParts.push(text.slice(from));
    return this.#take();
  }

  end(): WireEvent[] {
    if (this.#lineParts.length > 0) this.#addLine(this.#wholeLine(""));
    this.#closeEvent();
    return this.#take();
  }

  #wholeLine(rest: string): string {
    if (this.#lineParts.length === 0) return rest;
    const line = this.#lineParts.join("") + rest;
    this.#lineParts = [];
    return line;
  }

  #take(): WireEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #addLine(raw: string): void {
    const line = raw.charCodeAt(0) === BYTE_ORDER_MARK ? raw.slice(1) : raw;
    if (line.startsWith("data:")) this.#addData(payloadOf(line), false);
    else if (line === "") this.#blankLine();
    else this.#addOther(line);
  }

  #blankLine(): void {
    if (this.#isDocument) return;
    this.#closeEvent();
  }

  /** Comments and the fields `id` and `retry` say nothing about the reply. */
  #addOther(line: string): void {
    if (line.startsWith("event:")) {
      this.#closeEvent();
      this.#name = line.slice("event:".length).trim();
    } else if (line.startsWith("error:")) this.#addError(line.slice("error:".length).trim());
    else if (this.#isDocument || /^\s*[[{"]/.test(line)) this.#addData(line, true);
    else if (!/^(?::|(?:id|retry|data)\b)/.test(line) && line.trim() !== "") this.unreadable += 1;
  }

  #addData(sent: string, isDocument: boolean): void {
    const text = withoutSecondCoding(sent);
    const trimmed = text.trim();
    if (trimmed === "") return;
    if (/^\[DONE\]$/i.test(trimmed)) {
      this.#closeEvent();
      this.#events.push({ kind: "done" });
      this.hasRead = true;
      return;
    }
    if (this.#name === "error") {
      this.#addError(trimmed);
      return;
    }
    const own = this.#readOwn(trimmed);
    if (own) {
      this.#closeEvent();
      this.#push(own);
      return;
    }
    this.#isDocument ||= isDocument;
    this.#open.push(text);
    this.#openChars += text.length;
    if (this.#openChars <= MAX_OPEN_CHARS) return;
    this.#forget();
    this.unreadable += 1;
  }

  /** The line as an event of its own; undefined if it needs the lines around it. */
  #readOwn(trimmed: string): JsonObject | undefined {
    if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
    const value = readJson(trimmed);
    if (!isObject(value)) return undefined;
    return this.#open.length === 0 || OWN_FIELDS.some((field) => field in value) ? value : undefined;
  }

  #addError(text: string): void {
    const value = readJson(text);
    this.#events.push({ kind: "error", error: value === undefined ? text : value });
    this.hasRead = true;
    this.#forget();
  }

  #closeEvent(): void {
    if (this.#open.length > 0) {
      const value = readJson(this.#open.join("\n"));
      const values = Array.isArray(value) ? value : [value];
      for (const one of values) {
        if (isObject(one)) this.#push(one);
        else this.unreadable += 1;
      }
    }
    this.#forget();
  }

  #push(value: JsonObject): void {
    this.hasRead = true;
    this.#events.push({ kind: "value", value });
  }

  #forget(): void {
    this.#open = [];
    this.#openChars = 0;
    this.#isDocument = false;
    this.#name = "";
  }
}

/** Some proxies add their own `data:` before the server's. */
function payloadOf(line: string): string {
  let payload = line.slice("data:".length);
  while (/^\s*data:/.test(payload)) payload = payload.slice(payload.indexOf(":") + 1);
  return payload.startsWith(" ") ? payload.slice(1) : payload;
}

/** Some gateways encode the server's JSON once more, as a string. */
function withoutSecondCoding(text: string): string {
  const inner = /^\s*"(?:[{[]|\s)/.test(text) ? readJson(text) : undefined;
  return typeof inner === "string" ? inner : text;
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  const carriageReturn = text.indexOf(CARRIAGE_RETURN, from);
  if (carriageReturn < 0) return feed;
  return feed < 0 ? carriageReturn : Math.min(feed, carriageReturn);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
