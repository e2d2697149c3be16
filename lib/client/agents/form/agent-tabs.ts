import { valueAt } from "@/lib/client/agents/config-text/config-values";
import { choice, hasBackend, hasCommands, isOn, long, number, toggle, when, words } from "./field-makers";
import type { FormTab } from "./form-field";
import { HEARTBEAT_FIELDS } from "./heartbeat-fields";

/** The first group is what everybody sets; the rest is folded. */
export const BASICS: FormTab = {
  id: "basics",
  label: "Basics",
  groups: [
    {
      fields: [
        { path: ["name"], label: "Name", control: { kind: "text" } },
        { path: ["description"], label: "Description", control: { kind: "text" } },
        { path: ["model"], label: "Model", control: { kind: "model" } },
        long("system_prompt", "Prompt", 14, "The prompt is sent with every call, before skills and memory."),
        {
          path: ["starters"],
          label: "Starters",
          help: "The start page offers each line as a first message, up to six.",
          control: { kind: "lines", rows: 3 },
        },
      ],
    },
    {
      title: "Model choice",
      isFolded: true,
      fields: [
        { path: ["fallback_models"], label: "Fallback models", control: { kind: "models" } },
        {
          path: ["choices"],
          label: "Models and efforts",
          help: "People pick among these beside the composer. Effort is how much a model thinks before it answers.",
          control: { kind: "choices" },
        },
        choice("on_missing_provider", "Missing provider", [
          { id: "fail", name: "Fail" },
          { id: "first", name: "Use the first one" },
        ]),
      ],
    },
    {
      title: "Reply",
      isFolded: true,
      fields: [
        toggle("streaming", "Streaming", "Off: the reply appears when it is complete."),
        number("temperature", "Temperature", { empty: "the model's own" }),
        number("max_tokens", "Max reply tokens"),
        long("default_response", "Empty reply", 2, "This text stands in for a reply without text."),
        number("silent_replies.max_other_chars", "Silent replies", {
          unit: "characters",
          isHalf: false,
          help: "A reply with NO_REPLY and at most this much else is shown to nobody.",
        }),
      ],
    },
    {
      title: "Prompt sections",
      isFolded: true,
      fields: [
        choice("prompt.mode", "Prompt mode", [
          { id: "plain", name: "None", help: "The model gets the prompt, skills and memory." },
          { id: "full", name: "All", help: "Identity, tools, safety, workspace, time and more." },
          { id: "minimal", name: "Minimal", help: "Tools, workspace and time, as a subagent gets them." },
        ]),
        { path: ["prompt", "sections"], label: "Sections", control: { kind: "sections" } },
        choice("prompt.order", "Project context", [
          { id: "s4", name: "After memory" },
          { id: "s3", name: "Before skills" },
        ]),
        long("extra_context", "Extra context", 3, "This text joins the prompt."),
        long("inject_context", "Injected message", 3, "This message precedes the person's own in each run."),
      ],
    },
    {
      title: "Prompt files",
      help: "IDENTITY.md, SOUL.md and the like. A longer file keeps its start and its end.",
      isFolded: true,
      fields: [
        choice("type", "Owner", [
          { id: "predefined", name: "Everybody", help: "People share the agent's prompt files." },
          { id: "open", name: "Each person", help: "Each person has prompt files of their own." },
        ]),
        number("prompt.files.max_chars", "Max per file", { unit: "characters" }),
        number("prompt.files.max_total_chars", "Max in all", { unit: "characters" }),
        number("prompt.files.head_ratio", "Share of the start"),
        number("prompt.files.tail_ratio", "Share of the end"),
      ],
    },
    {
      title: "Schedules",
      isFolded: true,
      fields: [
        {
          path: ["schedules"],
          label: "Schedules",
          help: "Publishing makes each a schedule of the person who publishes. Time zone and budget are set in the YAML.",
          control: { kind: "schedules" },
        },
      ],
    },
    { ...HEARTBEAT_FIELDS, isFolded: true },
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
  label: "Tools",
  groups: [
    {
      fields: [
        {
          path: ["tools"],
          label: "Tools",
          help: "A workspace, skills and hooks bring tools of their own.",
          control: { kind: "tools" },
        },
        number("tool_settings.max_parallel", "Parallel calls"),
        number("tool_settings.timeout_ms", "Call timeout", { unit: "ms" }),
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
                { id: "auto", name: "The first set up", help: "Keys and addresses are under Settings, Web search." },
                { id: "searxng", name: "SearXNG" },
                { id: "brave", name: "Brave" },
                { id: "tavily", name: "Tavily" },
              ],
            },
          },
        ]),
        ...when(hasTool("web_fetch"), [
          words("web.fetch.hosts", "Allowed hosts", {
            add: "Add a host",
            all: "Any host",
            help: "example.org, or *.example.org with its subdomains.",
          }),
          number("web.fetch.max_bytes", "Max page size", { unit: "bytes" }),
          number("web.fetch.timeout_ms", "Page timeout", { unit: "ms" }),
        ]),
      ],
    },
    {
      title: "Permissions",
      fields: [
        toggle(
          "permissions.enabled",
          "Check each call",
          "Off: calls run unasked, except MCP tools that ask by themselves.",
        ),
        ...when(permissionsOn, [
          choice("permissions.mode", "Without a rule", [
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
        number("permissions.approval_ttl_hours", "Approval expiry", { unit: "hours", empty: "never" }),
        number("permissions.grant_ttl_days", "Grant expiry", { unit: "days" }),
      ],
    },
    {
      title: "Other agents",
      fields: [
        {
          path: ["subagents"],
          label: "Subagents",
          help: "Subagents work for this agent inside its run.",
          control: { kind: "subagents" },
        },
        {
          path: ["delegates"],
          label: "Delegates",
          help: "Delegates work as themselves. This agent gives them tasks or hands them the conversation.",
          control: { kind: "subagents" },
        },
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
          { id: "default", name: "As in Settings", help: "The choice under Settings, Guard, applies." },
          { id: "off", name: "Off" },
          { id: "log", name: "Log" },
          { id: "warn", name: "Warn", help: "The model learns that a text tries to instruct it." },
          { id: "block", name: "Block", help: "The message or result is refused." },
        ]),
        toggle("sanitize.enabled", "Clean replies", "Leaked markup of tools and thoughts is removed."),
        toggle("loop_guard.enabled", "Loop guard", "A run that repeats the same call is stopped."),
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
          choice("backend.scope", "Workspace per", [
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
        number("backend.timeout_ms", "Command timeout", { unit: "ms" }),
        number("backend.max_output_bytes", "Max command output", { unit: "bytes" }),
      ]),
    },
  ],
};
