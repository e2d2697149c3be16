/** The button of a select in a toolbar. */
export const BARE_SELECT =
  "flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-sm touch-row hover:bg-default aria-expanded:bg-default disabled:opacity-60";
