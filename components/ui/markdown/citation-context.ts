import { createContext, type ReactNode } from "react";

/** Draws words that may cite sources, such as "It rains [1]."; null where there are no sources. */
export type DrawCitations = (words: string) => ReactNode;

export const CitationContext = createContext<DrawCitations | null>(null);
