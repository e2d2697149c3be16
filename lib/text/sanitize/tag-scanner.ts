/** A tag with one of the scanner's names, or the text around such tags. */
export type TagToken =
  | { readonly kind: "text"; readonly raw: string }
  | { readonly kind: "open" | "close" | "empty"; readonly raw: string; readonly name: string };

export interface TagScanner {
  push(piece: string): readonly TagToken[];
  end(): readonly TagToken[];
}

/** Longer candidates are not tags, which limits how much is held back. */
const MAX_ATTRIBUTES = 300;

interface TagPatterns {
  readonly whole: RegExp;
  readonly begun: RegExp;
}

/** Cached, because every reply needs new scanners for the same few lists of names. */
const patterns = new WeakMap<readonly string[], TagPatterns>();

function tagPatterns(names: readonly string[]): TagPatterns {
  const known = patterns.get(names);
  if (known) return known;
  const name = names.map((tag) => tag.replaceAll(/[^a-z_]/g, "\\$&")).join("|");
  const made = {
    whole: new RegExp(`<(/?)(${name})(?:[\\s/][^<>]{0,${MAX_ATTRIBUTES}})?>`, "iy"),
    begun: new RegExp(`^</?(?:${name})(?:[\\s/][^<>]{0,${MAX_ATTRIBUTES}})?$`, "i"),
  };
  patterns.set(names, made);
  return made;
}

/** Finds tags by name (lower case), case-insensitively, even if a tag is split between pieces. */
export function tagScanner(names: readonly string[]): TagScanner {
  const { whole, begun } = tagPatterns(names);
  let held = "";

  const mayBecomeTag = (rest: string) => {
    const letters = rest.slice(rest.startsWith("</") ? 2 : 1).toLowerCase();
    return names.some((known) => known.startsWith(letters)) || begun.test(rest);
  };

  /** The next tag, or the end of the text before a possible start of one. */
  function find(text: string, from: number, isEnd: boolean): { at: number; tag: TagToken | null } | null {
    for (let at = text.indexOf("<", from); at >= 0; at = text.indexOf("<", at + 1)) {
      whole.lastIndex = at;
      const found = whole.exec(text);
      if (found) return { at, tag: toToken(found) };
      if (!isEnd && mayBecomeTag(text.slice(at, at + MAX_ATTRIBUTES + 30))) return { at, tag: null };
    }
    return null;
  }

  function scan(text: string, isEnd: boolean): TagToken[] {
    const tokens: TagToken[] = [];
    const addText = (raw: string) => {
      if (raw !== "") tokens.push({ kind: "text", raw });
    };
    let from = 0;
    for (let next = find(text, 0, isEnd); next; next = find(text, from, isEnd)) {
      addText(text.slice(from, next.at));
      held = next.tag ? "" : text.slice(next.at);
      if (!next.tag) return tokens;
      tokens.push(next.tag);
      from = next.at + next.tag.raw.length;
    }
    held = "";
    addText(text.slice(from));
    return tokens;
  }

  return {
    push: (piece) => (held === "" && !piece.includes("<") ? [{ kind: "text", raw: piece }] : scan(held + piece, false)),
    end: () => (held === "" ? [] : scan(held, true)),
  };
}

function toToken([raw, slash, name = ""]: RegExpExecArray): TagToken {
  const kind = slash ? "close" : raw.endsWith("/>") ? "empty" : "open";
  return { kind, raw, name: name.toLowerCase() };
}
