import { isObject, type JsonObject } from "./event-reader";

/** Fields of a message that only its server understands and wants back, apart from `reasoning_details`. */
const FIELDS = ["extra_content", "reasoning_opaque", "thinking_blocks", "provider_specific_fields"] as const;
type Field = (typeof FIELDS)[number];

/** Those of one piece of a reply; undefined if it has none. */
export function opaqueFieldsIn(delta: JsonObject): JsonObject | undefined {
  const found = FIELDS.flatMap((field) => (isWorthKeeping(field, delta[field]) ? [[field, delta[field]]] : []));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function isWorthKeeping(field: Field, value: unknown): boolean {
  if (field === "reasoning_opaque") return typeof value === "string" && value !== "";
  if (field === "thinking_blocks") return Array.isArray(value) && value.length > 0;
  if (field === "extra_content") return isObject(value);
  return signaturesIn(value) !== undefined;
}

/** LiteLLM puts all kinds of things there; only signatures go back. */
function signaturesIn(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const found = ["thought_signature", "thought_signatures"].filter((name) => value[name]);
  return found.length === 0 ? undefined : Object.fromEntries(found.map((name) => [name, value[name]]));
}

/** What of a call's own fields goes back with it, apart from `extra_content`. */
export function callFieldsIn(call: JsonObject, target: JsonObject): JsonObject | undefined {
  const signatures = signaturesIn(call.provider_specific_fields) ?? signaturesIn(target.provider_specific_fields);
  return signatures && { provider_specific_fields: signatures };
}

/** Joins the fields of all pieces of a reply. */
export class OpaqueFields {
  readonly #fields: Record<string, unknown> = {};
  readonly #blocks: JsonObject[] = [];
  #openThought = "";

  add(fields: JsonObject): void {
    const { thinking_blocks: blocks, ...others } = fields;
    if (Array.isArray(blocks)) for (const block of blocks.filter(isObject)) this.#addBlock(block);
    for (const [name, value] of Object.entries(others)) {
      const known = this.#fields[name];
      this.#fields[name] = isObject(known) && isObject(value) ? { ...known, ...value } : value;
    }
  }

  /** Undefined if there are none. */
  joined(): JsonObject | undefined {
    const { provider_specific_fields: given, ...others } = this.#fields;
    const signatures = signaturesIn(given);
    const fields = {
      ...others,
      ...(signatures ? { provider_specific_fields: signatures } : {}),
      ...(this.#blocks.length > 0 ? { thinking_blocks: this.#blocks } : {}),
    };
    return Object.keys(fields).length === 0 ? undefined : fields;
  }

  /** A signature ends a thought, and its piece may repeat all of it; without one, a thought is refused later. */
  #addBlock(block: JsonObject): void {
    if (typeof block.thinking !== "string") {
      this.#openThought = "";
      this.#blocks.push(block);
      return;
    }
    const { signature_delta: _, ...rest } = block;
    const isWhole = this.#openThought !== "" && block.thinking.startsWith(this.#openThought);
    this.#openThought = isWhole ? block.thinking : this.#openThought + block.thinking;
    if (!block.signature) return;
    this.#blocks.push({ ...rest, thinking: this.#openThought });
    this.#openThought = "";
  }
}
