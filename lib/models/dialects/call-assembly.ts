import { readJson } from "./event-reader";
import { offeredName } from "./offered-name";
import type { CallPiece } from "./read-delta";

/** A call as far as it has arrived. */
export interface OpenCall {
  id: string;
  name: string;
  text: string;
  extra: unknown;
  fields: CallPiece["fields"];
  /** Its beginning was passed on: only then may pieces of its arguments be. */
  isAnnounced: boolean;
}

/**
 * Puts the pieces of tool calls together. Servers number calls, but some number all of them the same, some not at all,
 * and some send a new id with each piece; a piece begins a new call only if the one before can be complete.
 */
export class CallAssembly {
  readonly calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();

  private readonly toolNames: ReadonlySet<string>;

  constructor(toolNames: ReadonlySet<string>) {
    this.toolNames = toolNames;
  }

  /** The call that the piece belongs to, after the piece was added. */
  add(given: CallPiece): OpenCall {
    const piece = { ...given, name: offeredName(given.name, given.text === "" ? "" : given.id, this.toolNames) };
    const current = this.#currentOf(piece);
    if (current === undefined || this.#beginsAnother(piece, current)) return this.#begin(piece);
    if (current.id === "") current.id = piece.id;
    current.name = this.#nameAfter(current, piece);
    current.text += piece.text;
    current.extra ??= piece.extra;
    current.fields ??= piece.fields;
    return current;
  }

  #currentOf({ index, id, name }: CallPiece): OpenCall | undefined {
    const known = id === "" ? undefined : this.calls.findLast((call) => call.id === id);
    if (index === undefined) return known ?? this.calls.at(-1);
    return this.#byIndex.get(index) ?? (name === "" ? (known ?? this.#unfinished(id)) : undefined);
  }

  /** The end of a call may come under another number than its beginning. */
  #unfinished(id: string): OpenCall | undefined {
    const last = this.calls.at(-1);
    return last && id === "" && last.name !== "" && !isWhole(last) ? last : undefined;
  }

  #begin({ index, isBehindAnother: _, ...piece }: CallPiece): OpenCall {
    const call: OpenCall = { ...piece, isAnnounced: false };
    this.calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #beginsAnother(piece: CallPiece, current: OpenCall): boolean {
    if (piece.name === "" || current.name === "") return false;
    if (piece.isBehindAnother && isWhole(piece) && isWhole(current) && (piece.id === "" || piece.id !== current.id))
      return true;
    const isOtherId = piece.id !== "" && piece.id !== current.id && current.id !== "";
    const isOtherName = piece.name !== current.name && this.toolNames.has(current.name);
    if (current.text.trim() === "") return isOtherName && (isOtherId || this.toolNames.has(piece.name));
    return (isOtherId || isOtherName) && isWhole(current);
  }

  /** Some servers repeat the name with each piece, a few send it in pieces. */
  #nameAfter({ name, text }: OpenCall, piece: CallPiece): string {
    if (name === "" || piece.name === "") return name || piece.name;
    const isWholeName = this.toolNames.has(name) || piece.name === name || text !== "";
    return isWholeName ? name : offeredName(name + piece.name, "", this.toolNames);
  }
}

function isWhole({ text }: { readonly text: string }): boolean {
  return readJson(text) !== undefined;
}
