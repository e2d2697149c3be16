import { createContext, type ReactNode } from "react";

/** Draws text that may cite sources, such as "It rains [1]."; null if there are no sources. */
export type DrawCitations = (words: string) => ReactNode;

export const CitationContext = createContext<DrawCitations | null>(null);
