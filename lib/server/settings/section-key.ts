import type { Section } from "./settings-state";

/** Each section is a row, so that two people who change two sections change two rows. */
export const sectionKey = (section: Section) => `settings:${section}`;
