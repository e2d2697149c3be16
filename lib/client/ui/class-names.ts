import { type ClassValue, clsx } from "clsx";

/** Joins class names; falsy parts drop out. */
export function classNames(...parts: ClassValue[]): string {
  return clsx(parts);
}
