/** From this width on, a page has room for a column beside its content. */
export const WIDE = "(min-width: 80rem)";

/** From this width on, the thread list has a column of its own; below, it is a drawer. Tailwind's `lg`. */
export const HAS_LIST_COLUMN = "(min-width: 64rem)";
