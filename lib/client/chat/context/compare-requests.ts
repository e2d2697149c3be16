import { diffArrays } from "diff";
import { type RequestPart, type RequestText, requestParts } from "./request-parts";

/** A part of a request that differs from an earlier one. An added part had no text before, a removed one has none now. */
export interface ChangedPart {
  readonly part: RequestPart;
  readonly kind: "changed" | "added" | "removed";
  readonly before: string;
  readonly after: string;
}

/** The parts that differ between two requests, in the order of the later one. */
export function changedParts(earlier: RequestText, later: RequestText): ChangedPart[] {
  const [old, fresh] = [partsOf(earlier), partsOf(later)];
  const changed: ChangedPart[] = [];
  let removed: RequestPart[] = [];
  let [oldAt, freshAt] = [0, 0];
  for (const { value, removed: isRemoved, added: isAdded } of diffArrays(old.map(keyOf), fresh.map(keyOf))) {
    if (isRemoved) {
      removed = old.slice(oldAt, oldAt + value.length);
    } else {
      const added = isAdded ? fresh.slice(freshAt, freshAt + value.length) : [];
      changed.push(...pairs(removed, added));
      removed = [];
    }
    if (!isAdded) oldAt += value.length;
    if (!isRemoved) freshAt += value.length;
  }
  return [...changed, ...pairs(removed, [])];
}

function partsOf(request: RequestText): RequestPart[] {
  return requestParts(request).flatMap(({ parts }) => parts);
}

function keyOf({ kind, text }: RequestPart): string {
  return `${kind}\n${text}`;
}

/** Each removed part with the next added one of its kind. */
function pairs(removed: readonly RequestPart[], added: readonly RequestPart[]): ChangedPart[] {
  const left = [...removed];
  const found = added.map((part): ChangedPart => {
    const at = left.findIndex(({ kind }) => kind === part.kind);
    if (at === -1) return { part, kind: "added", before: "", after: part.text };
    const [was] = left.splice(at, 1);
    return { part, kind: "changed", before: was?.text ?? "", after: part.text };
  });
  const gone = left.map((part): ChangedPart => {
    return { part: { ...part, id: `was-${part.id}` }, kind: "removed", before: part.text, after: "" };
  });
  return [...gone, ...found];
}
