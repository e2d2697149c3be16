import type { Dialect, SqlValue } from "@/lib/server/platform/db/dialect";
import type { SearchTerm } from "./fold-texts";

export class Statement {
  readonly parameters: SqlValue[] = [];

  /** Adds the value and returns its parameter. */
  add(value: SqlValue): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }
}

export interface SearchedText {
  readonly text: string;
  /** Null if the text is ASCII, or not folded yet. */
  readonly folded: string;
}
export const TITLE: SearchedText = { text: `t."title"`, folded: `t."folded"` };
export const textOf = (message: string): SearchedText => ({ text: `${message}."text"`, folded: `${message}."folded"` });

/** The words as one text. */
export function inARow(words: readonly SearchTerm[]): SearchTerm {
  const isTyped = words.some(({ typed }) => typed !== null);
  return {
    folded: words.map(({ folded }) => folded).join(" "),
    typed: isTyped ? words.map(({ folded, typed }) => typed ?? folded).join(" ") : null,
  };
}

export function hasAll(
  statement: Statement,
  { provider }: Dialect,
  { text, folded }: SearchedText,
  terms: readonly SearchTerm[],
): string {
  const like = (column: string, part: string) =>
    `${column} ${provider === "postgresql" ? "ilike" : "like"} ${statement.add(likePattern(part))} escape '\\'`;
  return terms
    .map((term) => {
      const isFound = like(`coalesce(${folded}, ${text})`, term.folded);
      return term.typed === null ? isFound : `(${isFound} or ${like(text, term.typed)})`;
    })
    .join(" and ");
}

/** A LIKE pattern, with the escape character `\`. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
