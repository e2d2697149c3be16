import type { Section } from "./settings-state";

/** Each section is a separate row, so that changes to two sections don't conflict. */
export const sectionKey = (section: Section) => `settings:${section}`;
