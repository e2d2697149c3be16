/** The line of a message under which the files that came with it are listed as `- path (size)`. */
export const ATTACHED_LEAD = "Attached files, in the workspace:";
