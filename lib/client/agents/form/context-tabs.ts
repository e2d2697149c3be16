import { valueAt } from "@/lib/client/agents/config-text/config-values";
import { choice, isOn, long, number, toggle, when, words } from "./field-makers";
import type { FormTab } from "./form-field";

export const KNOWLEDGE: FormTab = {
  id: "knowledge",
  label: "Knowledge",
  groups: [
    {
      title: "Skills",
      fields: [
        {
          path: ["skills"],
          label: "Installed skills",
          help: "The agent reads a skill when a task fits it. Skills need a workspace.",
          control: { kind: "skills" },
        },
        words("skills.paths", "Folders", {
          add: "Add a folder",
          help: "Skills are read from these folders of the workspace too.",
        }),
        choice("skills.mode", "In the prompt", [
          { id: "auto", name: "Automatic" },
          { id: "catalog", name: "List" },
          { id: "search", name: "Search" },
          { id: "inline", name: "Full text" },
        ]),
        number("skills.catalog.max_skills", "Max listed skills", { unit: "skills" }),
        number("skills.catalog.max_tokens", "Max list length", { unit: "tokens" }),
        number("skills.search.top", "Search results", { unit: "skills" }),
      ],
    },
    {
      title: "Memory",
      fields: [
        words("memory.paths", "Files", {
          add: "Add a file",
          help: "The agent reads these at the start of each run and edits them itself, such as AGENTS.md.",
        }),
        number("memory.daily_notes_days", "Daily notes", { unit: "days", isHalf: false }),
        toggle("memory.recall.enabled", "Recall", "Notes of earlier days that fit the message are looked up."),
        {
          ...number("memory.recall.top", "Recalled passages", { isHalf: false }),
          isShown: (config) => valueAt(config, ["memory", "recall", "enabled"]) === true,
        },
      ],
    },
    {
      title: "Before a compaction",
      isFolded: true,
      fields: [
        toggle(
          "memory_flush.enabled",
          "Save lasting facts",
          "The agent writes lasting facts down before old messages are summarised.",
        ),
        ...when(isOn("memory_flush.enabled"), [
          toggle("memory_flush.always", "Before every compaction", "Off: only where the window is nearly full."),
          number("memory_flush.reserve_tokens", "Reserve", { unit: "tokens" }),
          number("memory_flush.soft_threshold", "Head start", { unit: "tokens" }),
          number("memory_flush.max_iterations", "Max steps"),
          number("memory_flush.recent_messages", "Messages sent"),
          number("memory_flush.timeout_ms", "Timeout", { unit: "ms" }),
          long("memory_flush.prompt", "Prompt", 2),
        ]),
      ],
    },
  ],
};

export const CONTEXT: FormTab = {
  id: "context",
  label: "Context",
  groups: [
    {
      fields: [
        number("context_window", "Window", { unit: "tokens", empty: "the model's own" }),
        number("chars_per_token", "Characters per token"),
        number("history.limit_turns", "Turns sent", { empty: "all", isHalf: false }),
      ],
    },
    {
      title: "Huge tool results",
      help: "The model reads the start and the end. The whole result is in a file.",
      fields: [
        toggle("eviction.enabled", "Cut results"),
        ...when(isOn("eviction.enabled"), [
          number("eviction.max_chars", "Longer than", { unit: "characters", isHalf: false }),
          number("eviction.head", "Keep from the start", { unit: "characters" }),
          number("eviction.tail", "Keep from the end", { unit: "characters" }),
        ]),
      ],
    },
    {
      title: "Pruning",
      help: "Old tool results are sent shortened. The thread keeps them whole.",
      fields: [
        toggle("pruning.enabled", "Prune"),
        ...when(isOn("pruning.enabled"), [
          number("pruning.soft_ratio", "Shorten from"),
          number("pruning.hard_ratio", "Clear from"),
          number("pruning.soft_max_chars", "Results longer than", { unit: "characters" }),
          number("pruning.min_prunable_tool_chars", "Min total length", { unit: "characters" }),
          number("pruning.soft_head", "Keep from the start", { unit: "characters" }),
          number("pruning.soft_tail", "Keep from the end", { unit: "characters" }),
          number("pruning.keep_last_assistants", "Newest replies kept", { isHalf: false }),
        ]),
      ],
    },
    {
      title: "Summary within a run",
      help: "Older messages of one long run are summarised for its next calls.",
      fields: [
        toggle("summarization.enabled", "Summarise"),
        ...when(isOn("summarization.enabled"), [
          number("summarization.ratio", "From"),
          number("summarization.keep_ratio", "Newest kept"),
          number("summarization.keep_min", "Min messages kept"),
          number("summarization.max_tokens", "Max summary length", { unit: "tokens" }),
          number("summarization.max_words", "Max summary words", { unit: "words" }),
          number("summarization.truncate_chars", "Read per message", { unit: "characters" }),
        ]),
      ],
    },
    {
      title: "Compaction after a run",
      help: "A summary takes the place of old messages for good.",
      fields: [
        toggle("compaction.enabled", "Compact"),
        ...when(isOn("compaction.enabled"), [
          number("compaction.max_messages", "From", { unit: "messages" }),
          number("compaction.min_ratio", "Never below"),
          number("compaction.ratio", "Or from"),
          number("compaction.absolute_tokens", "Or from", { unit: "tokens", empty: "never" }),
          number("compaction.keep_last", "Messages kept"),
          number("compaction.max_tokens", "Max summary length", { unit: "tokens" }),
          number("compaction.temperature", "Temperature"),
          number("compaction.timeout_ms", "Timeout", { unit: "ms" }),
          choice("compaction.placement", "Summary placement", [
            { id: "pair", name: "In the thread" },
            { id: "system", name: "In the prompt" },
          ]),
        ]),
      ],
    },
  ],
};

export const LIMITS: FormTab = {
  id: "limits",
  label: "Limits",
  groups: [
    {
      fields: [
        number("max_iterations", "Max steps"),
        number("retries", "Retries", { help: "A failed model call is repeated this often." }),
        choice("on_limit", "At the last step", [
          { id: "stop", name: "Stop", help: "The run ends; a person can continue it." },
          { id: "final_answer", name: "Answer", help: "The model answers with what it has." },
        ]),
        number("max_message_chars", "Max message length", { unit: "characters", isHalf: false }),
      ],
    },
    {
      title: "Timeouts",
      fields: [
        number("timeouts.run_ms", "Run timeout", { unit: "ms" }),
        number("timeouts.model_ms", "Model call timeout", { unit: "ms" }),
        number("timeouts.idle_ms", "Silence timeout", { unit: "ms", isHalf: false }),
      ],
    },
    {
      title: "Reply",
      fields: [
        number("reply_limits.text_bytes", "Max text", { unit: "bytes" }),
        number("reply_limits.arguments_bytes", "Max arguments", { unit: "bytes" }),
        number("reply_limits.calls", "Max tool calls", { isHalf: false }),
      ],
    },
    {
      title: "Subagents",
      fields: [
        number("subagent_settings.max_children", "Max per run"),
        number("subagent_settings.max_active", "Max parallel"),
        number("subagent_settings.max_depth", "Max levels"),
        number("subagent_settings.result.max_chars", "Max answer length", { unit: "characters" }),
        number("subagent_settings.result.head", "Keep from the start", { unit: "characters" }),
        number("subagent_settings.result.tail", "Keep from the end", { unit: "characters" }),
      ],
    },
    {
      title: "Threads",
      fields: [
        choice("threads.on_busy", "Message during a run", [
          { id: "queue", name: "Waits" },
          { id: "reject", name: "Is refused" },
          { id: "interrupt", name: "Stops it" },
        ]),
        number("threads.ttl_minutes", "New thread after", {
          unit: "minutes",
          help: "A channel begins a new thread after this long without a message. 0 is never.",
          isHalf: false,
        }),
        toggle(
          "allow_client_system_messages",
          "Client system messages",
          "Off: system messages of API clients are refused.",
        ),
      ],
    },
    {
      title: "Trace",
      fields: [
        choice("trace.show_prompt", "Prompt visible to", [
          { id: "admins", name: "Admins" },
          { id: "everyone", name: "Everyone" },
        ]),
        number("trace.sample", "Traced share"),
        number("trace.preview_chars", "Output preview", { unit: "characters" }),
        number("trace.max_body_chars", "Max stored body", { unit: "characters", isHalf: false }),
      ],
    },
  ],
};
