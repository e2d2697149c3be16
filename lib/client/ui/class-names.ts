import { type ClassValue, clsx } from "clsx";

/** Joins class names; falsy parts are dropped. */
export function classNames(...parts: ClassValue[]): string {
  return clsx(parts);
}
