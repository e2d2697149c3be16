import { createAgent } from "@/lib/client/agents/agent-queries";

export type TemplateId = "morning-brief" | "watch-page";

/** A starting point for a schedule: it also runs on the demo model. */
export interface ScheduleTemplate {
  readonly name: string;
  readonly when: string;
  readonly thread: string;
  readonly prompt: string;
  /** The agent it is made for; null for any. */
  readonly agentId: string | null;
}

export const SCHEDULE_TEMPLATES: Readonly<Record<TemplateId, ScheduleTemplate>> = {
  "morning-brief": {
    name: "Morning brief",
    when: "every weekday at 9",
    thread: "new",
    agentId: null,
    prompt: `Write my morning brief.

Read tasks.md for what is not done yet, and list the files of the workspace for what is new. At most ten lines, the most
urgent first. Where there is no tasks.md, say in one line how I begin one.`,
  },
  "watch-page": {
    name: "Watch this page",
    when: "every 2 h",
    thread: "same",
    agentId: "page-watcher",
    prompt: "",
  },
};

/** The agent's prompt for the page; it keeps what it last saw in its own file. */
export function watchPrompt(url: string): string {
  return `Watch this page: ${url}

Read it with web_fetch and compare it with what you saved in ${savedAt(url)} the last time. Save the page there as it is now.
Tell only what has changed, in a few lines. If nothing has changed, reply with NO_REPLY and nothing else: then I am not
told. If there was no such file yet, say that you watch the page from now on.`;
}

function savedAt(url: string): string {
  const words = url.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/[^a-z0-9]+/gi, "-");
  return `watch/${words.replace(/^-|-$/g, "").slice(0, 60).toLowerCase() || "page"}.md`;
}

/** Whether it is the address of a page. */
export function isPageAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text.trim())?.protocol ?? "");
}

const PAGE_WATCHER = `name: Page watcher
description: Reads a page, compares it with what it saved the last time, and says only what has changed.
system_prompt: |
  You watch web pages. Say what has changed and nothing else, with the old and the new wording of short passages. Ignore
  what changes at every visit, such as counters, dates of today and advertisements.
tools: [web_fetch]
backend:
  type: state
`;

export function makePageWatcher(): Promise<unknown> {
  return createAgent({ agentId: "page-watcher", yaml: PAGE_WATCHER, note: "Made for watching a page" });
}
