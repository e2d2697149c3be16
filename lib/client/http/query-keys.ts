// Prefixes of the query keys that are invalidated when something of their kind has changed.

export const AGENTS_KEY = ["agents"] as const;
/** Asks that may have started or stopped waiting. */
export const APPROVALS_KEY = ["approvals"] as const;
export const BOARDS_KEY = ["boards"] as const;
/** The model's next context in a thread. */
export const CONTEXT_KEY = ["context"] as const;
export const FILES_KEY = ["files"] as const;
export const GRANTS_KEY = ["grants"] as const;
export const PROJECTS_KEY = ["projects"] as const;
export const PROVIDERS_KEY = ["providers"] as const;
/** What a person should know of, in their inbox. */
export const NOTES_KEY = ["inbox-notes"] as const;
export const MEMORY_KEY = ["memory"] as const;
export const SKILLS_KEY = ["skills"] as const;
export const THREADS_KEY = ["threads"] as const;
/** MCP servers with their tools, and the tools registered over HTTP. */
export const TOOLS_KEY = ["tools"] as const;
/** Notes of people on runs and their spans. */
export const TRACE_NOTES_KEY = ["trace-notes"] as const;
export const TRACES_KEY = ["traces"] as const;
/** A person's alerts on traces. */
export const ALERTS_KEY = ["alerts"] as const;
/** A person's views of the list of traces. */
export const TRACE_VIEWS_KEY = ["trace-views"] as const;

/** Everything about a thread's files. */
export function filesKey(threadId: string) {
  return [...FILES_KEY, threadId] as const;
}
