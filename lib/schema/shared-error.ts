/**
 * The base of the server's error classes. `instanceof` holds between copies of a module: Next loads the same code for
 * routes, for pages and for the start, and what one of them made (a model, a session with an MCP server, a sandbox)
 * throws its errors into the others. A class is recognised by the `kind` that it declares itself, not by its identity.
 */
export abstract class SharedError extends Error {
  /** The name of the class. Every subclass declares its own. */
  static readonly kind: string = "SharedError";

  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.kind;
  }
}

Object.defineProperty(SharedError, Symbol.hasInstance, {
  value: function isOfKind(this: { readonly kind: string }, value: unknown): boolean {
    if (!Error[Symbol.hasInstance](value)) return false;
    let type: unknown = (value as Error).constructor;
    for (; typeof type === "function"; type = Object.getPrototypeOf(type)) {
      if (Object.hasOwn(type, "kind") && "kind" in type && type.kind === this.kind) return true;
    }
    return false;
  },
});
