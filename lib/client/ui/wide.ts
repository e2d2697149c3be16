/** From this width on, a page has room for a column beside its content. */
export const WIDE = "(min-width: 80rem)";
