import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "@/lib/server/platform/db/dialect";
import type { SearchTerm } from "./fold-texts";

/** A part of a statement. */
export type Part = RawBuilder<unknown>;

export const NOTHING: Part = sql``;

/** All of these conditions, of which there is at least one. */
export function all(conditions: readonly Expression<unknown>[]): RawBuilder<SqlBool> {
  return sql`${sql.join(conditions, sql` and `)}`;
}

export interface SearchedText {
  readonly text: Part;
  /** Null if the text is ASCII, or not folded yet. */
  readonly folded: Part;
}

export const TITLE: SearchedText = { text: sql`t."title"`, folded: sql`t."folded"` };

export function textOf(message: string): SearchedText {
  return { text: sql.ref(`${message}.text`), folded: sql.ref(`${message}.folded`) };
}

/** The words as one text. */
export function inARow(words: readonly SearchTerm[]): SearchTerm {
  const isTyped = words.some(({ typed }) => typed !== null);
  return {
    folded: words.map(({ folded }) => folded).join(" "),
    typed: isTyped ? words.map(({ folded, typed }) => typed ?? folded).join(" ") : null,
  };
}

export function hasAll({ provider }: Dialect, { text, folded }: SearchedText, terms: readonly SearchTerm[]): Part {
  const operator = provider === "postgresql" ? sql`ilike` : sql`like`;
  const like = (column: Part, part: string) => sql`${column} ${operator} ${likePattern(part)} escape '\\'`;
  return all(
    terms.map((term) => {
      const isFound = like(sql`coalesce(${folded}, ${text})`, term.folded);
      return term.typed === null ? isFound : sql`(${isFound} or ${like(text, term.typed)})`;
    }),
  );
}

/** A LIKE pattern, with the escape character `\`. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
