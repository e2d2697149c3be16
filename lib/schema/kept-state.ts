/** Cookies with numbers of the layout (widths, open and closed): no more than this browser's look. */
export const KEPT_PREFIX = "ringmaster-layout-";
