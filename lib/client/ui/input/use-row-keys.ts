"use client";
import type { RefObject } from "react";
import { type Shortcuts, useShortcuts } from "./use-shortcuts";

export interface RowKeysOptions {
  /** Selects the rows in the list; default: those of a table. */
  row?: string;
  /** Selects what takes the focus in a row; default: its first link or button. */
  control?: string;
  /** What else the page's keys do. */
  others?: Shortcuts;
}

/** j and k walk the rows of a list; the first press goes to the first row. */
export function useRowKeys(list: RefObject<HTMLElement | null>, options: RowKeysOptions = {}): void {
  const { row = "tbody tr", control = "a[href], button:not([disabled])", others } = options;
  const move = (by: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(row) ?? [])].flatMap((one) => {
      const target = one.matches(control) ? one : one.querySelector<HTMLElement>(control);
      return target ? [{ row: one, target }] : [];
    });
    const at = rows.findIndex((one) => one.row.contains(document.activeElement));
    rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.target.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), ...others });
}
