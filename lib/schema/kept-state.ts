/** Cookies with layout numbers (widths, open and closed), for this browser only. */
export const KEPT_PREFIX = "ringmaster-layout-";
