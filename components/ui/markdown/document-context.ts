import { createContext } from "react";

/** A text that is a page of its own among others, such as one of the guide. */
export interface DocumentPlace {
  /** The path of a link inside the product; null for one that leads out of it. */
  readonly hrefOf: (target: string) => string | null;
  readonly anchorOf: (heading: string) => string;
}

export const DocumentContext = createContext<DocumentPlace | null>(null);
