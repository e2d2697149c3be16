/** The line of a message under which its attached files are listed as `- path (size)`. */
export const ATTACHED_LEAD = "Attached files, in the workspace:";
