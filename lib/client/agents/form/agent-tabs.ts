import { valueAt } from "@/lib/client/agents/config-text/config-values";
import { choice, hasBackend, hasCommands, isOn, long, number, toggle, when, words } from "./field-makers";
import type { FormTab } from "./form-field";
import { HEARTBEAT_FIELDS } from "./heartbeat-fields";

export const BASICS: FormTab = {
  id: "basics",
  label: "Basics",
  groups: [
    {
      fields: [
        { path: ["name"], label: "Name", control: { kind: "text" } },
        { path: ["description"], label: "Description", control: { kind: "text" } },
        { path: ["model"], label: "Model", control: { kind: "model" } },
        { path: ["fallback_models"], label: "Fallback models", control: { kind: "models" } },
        { path: ["subagents"], label: "Subagents", control: { kind: "subagents" } },
        {
          path: ["delegates"],
          label: "May delegate to",
          help: "Agents that work as themselves: it gives them tasks, or hands them the conversation.",
          control: { kind: "subagents" },
        },
        choice("type", "Kind", [
          { id: "predefined", name: "Predefined", help: "Everybody shares its prompt files." },
          { id: "open", name: "Open", help: "Each person has prompt files of their own." },
        ]),
        toggle("streaming", "Stream the answer", "Off: the reply appears when it is complete."),
      ],
    },
    {
      title: "Answers",
      fields: [
        number("temperature", "Temperature", { empty: "the model's own" }),
        number("max_tokens", "Tokens of one reply"),
        long("default_response", "Text for an empty reply", 2, "Empty: the built-in sentence."),
        choice("on_missing_provider", "When a provider is not configured", [
          { id: "fail", name: "Fail" },
          { id: "first", name: "Use the first one" },
        ]),
      ],
    },
    {
      title: "What people may pick for a message",
      fields: [
        {
          path: ["choices"],
          label: "Models and efforts",
          help: "Effort is how much a model thinks before it answers.",
          control: { kind: "choices" },
        },
      ],
    },
    {
      title: "Schedules",
      fields: [
        {
          path: ["schedules"],
          label: "Starts by itself",
          help: "Publishing makes each a schedule of the person who publishes. Time zone, budget and the rest stand in the YAML.",
          control: { kind: "schedules" },
        },
      ],
    },
    HEARTBEAT_FIELDS,
  ],
};

export const PROMPT: FormTab = {
  id: "prompt",
  label: "Prompt",
  groups: [
    {
      fields: [
        long("system_prompt", "System prompt", 14),
        choice("prompt.mode", "Around it", [
          { id: "plain", name: "Nothing", help: "The model gets this text, and blocks of skills and memory." },
          { id: "full", name: "All sections", help: "Identity, tools, safety, workspace, time and more." },
          { id: "minimal", name: "Few", help: "What a subagent gets: tools, workspace and time." },
        ]),
        { path: ["prompt", "sections"], label: "Sections", control: { kind: "sections" } },
        choice("prompt.order", "Project context", [
          { id: "s4", name: "After memory" },
          { id: "s3", name: "Before skills" },
        ]),
      ],
    },
    {
      title: "Added text",
      fields: [
        long("extra_context", "Extra context", 3, "Joins the system prompt."),
        long("inject_context", "Before each run", 3, "A user message that precedes the person's own."),
      ],
    },
    {
      title: "Prompt files",
      help: "IDENTITY.md, SOUL.md and the like; a longer file keeps its head and its tail.",
      fields: [
        number("prompt.files.max_chars", "Of one file", { unit: "characters" }),
        number("prompt.files.max_total_chars", "Of all files", { unit: "characters" }),
        number("prompt.files.head_ratio", "Share of the head"),
        number("prompt.files.tail_ratio", "Share of the tail"),
      ],
    },
    {
      title: "Silent replies",
      fields: [
        number("silent_replies.max_other_chars", "Characters beside NO_REPLY", {
          isHalf: false,
          help: "A reply with NO_REPLY and at most this much else is meant for nobody.",
        }),
      ],
    },
  ],
};

const hasTool = (name: string) => (config: unknown) => {
  const tools = valueAt(config, ["tools"]);
  const allowed = Array.isArray(tools) ? tools : valueAt(config, ["tools", "allow"]);
  return Array.isArray(allowed) && allowed.includes(name);
};

const permissionsOn = (config: unknown) => valueAt(config, ["permissions", "enabled"]) === true;

export const TOOLS: FormTab = {
  id: "tools",
  label: "Tools and permissions",
  groups: [
    {
      fields: [
        {
          path: ["tools"],
          label: "Tools",
          help: "Besides those that a workspace, skills and hooks bring along.",
          control: { kind: "tools" },
        },
        number("tool_settings.max_parallel", "At the same time"),
        number("tool_settings.timeout_ms", "Time for one call", { unit: "ms" }),
      ],
    },
    {
      title: "Web",
      fields: [
        ...when(hasTool("web_search"), [
          {
            path: ["web", "search"],
            label: "Search with",
            control: {
              kind: "choice",
              unset: "auto",
              options: [
                { id: "auto", name: "The first set up", help: "Keys and addresses stand under Settings." },
                { id: "searxng", name: "SearXNG" },
                { id: "brave", name: "Brave" },
                { id: "tavily", name: "Tavily" },
              ],
            },
          },
        ]),
        ...when(hasTool("web_fetch"), [
          words("web.fetch.hosts", "Pages may be on", {
            add: "Add a host",
            all: "Any host",
            help: "example.org, or *.example.org with its subdomains.",
          }),
          number("web.fetch.max_bytes", "Read of a page", { unit: "bytes" }),
          number("web.fetch.timeout_ms", "Time for a page", { unit: "ms" }),
        ]),
      ],
    },
    {
      title: "Permissions",
      fields: [
        toggle(
          "permissions.enabled",
          "Check each call",
          "Off: calls run unasked, except those of MCP tools that ask by themselves.",
        ),
        ...when(permissionsOn, [
          choice("permissions.mode", "Where no rule decides", [
            { id: "default", name: "Ask", help: "Calls that change something wait for a person." },
            { id: "plan", name: "Plan", help: "Only tools that read." },
            { id: "accept_edits", name: "Accept edits", help: "Edits of files run, other changes ask." },
            { id: "bypass", name: "Allow", help: "Everything that no rule denies runs." },
          ]),
          { path: ["permissions", "deny"], label: "Deny", control: { kind: "rules" } },
          { path: ["permissions", "ask"], label: "Ask", control: { kind: "rules" } },
        ]),
        // These also apply if permissions are off: MCP tools then ask, unless a rule allows them.
        { path: ["permissions", "allow"], label: "Allow", control: { kind: "rules" } },
        number("permissions.approval_ttl_hours", "A question expires", { unit: "hours", empty: "never" }),
        number("permissions.grant_ttl_days", "A grant holds", { unit: "days" }),
      ],
    },
  ],
};

export const HOOKS: FormTab = {
  id: "hooks",
  label: "Hooks",
  groups: [
    {
      fields: [
        choice("guard.mode", "Injection guard", [
          { id: "default", name: "As installed", help: "What an administrator chose under Settings, Guard." },
          { id: "off", name: "Off" },
          { id: "log", name: "Log" },
          { id: "warn", name: "Warn", help: "The model is told that a text tries to instruct it." },
          { id: "block", name: "Block", help: "The message or result is refused." },
        ]),
        toggle("sanitize.enabled", "Clean replies", "Removes markup of tools and thoughts that a model leaks."),
        toggle("loop_guard.enabled", "Loop guard", "Stops a run that repeats the same call."),
        ...when(isOn("loop_guard.enabled"), [
          number("loop_guard.warn_at", "Warn after", { unit: "calls" }),
          number("loop_guard.stop_at", "Stop after", { unit: "calls" }),
        ]),
      ],
    },
  ],
};

export const WORKSPACE: FormTab = {
  id: "workspace",
  label: "Workspace",
  groups: [
    {
      fields: [
        {
          path: ["backend", "type"],
          label: "Files and commands",
          control: {
            kind: "workspace",
            options: [
              { id: "none", name: "None", help: "No file tools." },
              { id: "state", name: "Files", help: "Files as rows of the database, no commands." },
              { id: "local", name: "Files and commands", help: "A folder, and commands in a sandbox." },
            ],
          },
        },
        ...when(hasBackend, [
          choice("backend.scope", "One workspace for each", [
            { id: "user", name: "Person" },
            { id: "thread", name: "Thread" },
            { id: "agent", name: "Agent" },
            { id: "project", name: "Project" },
          ]),
          { path: ["backend", "workdir"], label: "Folder", control: { kind: "text", isMono: true } },
        ]),
      ],
    },
    {
      title: "Commands",
      fields: when(hasCommands, [
        toggle("backend.network", "Network", "Off: commands reach no other machine."),
        number("backend.memory_mb", "Memory", { unit: "MB" }),
        number("backend.timeout_ms", "Time for one command", { unit: "ms" }),
        number("backend.max_output_bytes", "Output of one command", { unit: "bytes" }),
      ]),
    },
  ],
};
