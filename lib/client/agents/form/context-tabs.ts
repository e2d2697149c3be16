import { valueAt } from "@/lib/client/agents/config-text/config-values";
import { choice, isOn, long, number, toggle, when, words } from "./field-makers";
import type { FormTab } from "./form-field";

export const SKILLS: FormTab = {
  id: "skills",
  label: "Skills",
  groups: [
    {
      fields: [
        words("skills.paths", "Where skills are found", {
          add: "Add a folder",
          help: "Folders of the workspace; without one the agent has no skills.",
        }),
        words("skills.enabled", "Of these", { add: "Add a skill", suggest: "skills", all: "All that are found" }),
        choice("skills.mode", "What the prompt has of them", [
          { id: "auto", name: "By their number" },
          { id: "catalog", name: "A list" },
          { id: "search", name: "A search" },
          { id: "inline", name: "All texts" },
        ]),
        number("skills.catalog.max_skills", "List at most", { unit: "skills" }),
        number("skills.catalog.max_tokens", "List at most", { unit: "tokens" }),
        number("skills.search.top", "One search finds", { unit: "skills" }),
      ],
    },
  ],
};

export const MEMORY: FormTab = {
  id: "memory",
  label: "Memory",
  groups: [
    {
      fields: [
        words("memory.paths", "Files it remembers in", {
          add: "Add a file",
          help: "Read at the start of each run and edited by the agent itself, such as AGENTS.md.",
        }),
        number("memory.daily_notes_days", "Daily notes in the prompt", { unit: "days", isHalf: false }),
        toggle("memory.recall.enabled", "Recall", "Looks for what fits the message in the notes of earlier days."),
        {
          ...number("memory.recall.top", "Passages", { isHalf: false }),
          isShown: (config) => valueAt(config, ["memory", "recall", "enabled"]) === true,
        },
      ],
    },
    {
      title: "Before a compaction",
      fields: [
        toggle(
          "memory_flush.enabled",
          "Save what should last",
          "The agent writes lasting facts down before old messages are summarised.",
        ),
        ...when(isOn("memory_flush.enabled"), [
          toggle("memory_flush.always", "Before every compaction", "Off: only where the window is nearly full."),
          number("memory_flush.reserve_tokens", "Reserve", { unit: "tokens" }),
          number("memory_flush.soft_threshold", "Begins earlier by", { unit: "tokens" }),
          number("memory_flush.max_iterations", "Steps at most"),
          number("memory_flush.recent_messages", "Recent messages it reads"),
          number("memory_flush.timeout_ms", "Time", { unit: "ms" }),
          long("memory_flush.prompt", "What it is asked", 2),
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
        number("chars_per_token", "Characters of a token"),
        number("history.limit_turns", "Turns the model reads", { empty: "all", isHalf: false }),
      ],
    },
    {
      title: "Huge tool results",
      help: "Cut before the model reads them; the rest is in a file.",
      fields: [
        toggle("eviction.enabled", "Cut them"),
        ...when(isOn("eviction.enabled"), [
          number("eviction.max_chars", "Longer than", { unit: "characters", isHalf: false }),
          number("eviction.head", "Keep of the head", { unit: "characters" }),
          number("eviction.tail", "Keep of the tail", { unit: "characters" }),
        ]),
      ],
    },
    {
      title: "Pruning",
      help: "Shortens old tool results in what is sent; the thread keeps them.",
      fields: [
        toggle("pruning.enabled", "Prune"),
        ...when(isOn("pruning.enabled"), [
          number("pruning.soft_ratio", "Shorten from", { help: "share of the window" }),
          number("pruning.hard_ratio", "Clear from", { help: "share of the window" }),
          number("pruning.soft_max_chars", "Results longer than", { unit: "characters" }),
          number("pruning.min_prunable_tool_chars", "Clear only above", { unit: "characters" }),
          number("pruning.soft_head", "Keep of the head", { unit: "characters" }),
          number("pruning.soft_tail", "Keep of the tail", { unit: "characters" }),
          number("pruning.keep_last_assistants", "Newest replies left alone", { isHalf: false }),
        ]),
      ],
    },
    {
      title: "Summary within a run",
      help: "Keeps one long run inside the window.",
      fields: [
        toggle("summarization.enabled", "Summarise"),
        ...when(isOn("summarization.enabled"), [
          number("summarization.ratio", "From", { help: "share of the window" }),
          number("summarization.keep_ratio", "Keep of the newest", { help: "share of the messages" }),
          number("summarization.keep_min", "Messages kept at least"),
          number("summarization.max_tokens", "Summary at most", { unit: "tokens" }),
          number("summarization.max_words", "Summary at most", { unit: "words" }),
          number("summarization.truncate_chars", "It reads of each message", { unit: "characters" }),
        ]),
      ],
    },
    {
      title: "Compaction after a run",
      help: "Replaces old messages by a summary that stays.",
      fields: [
        toggle("compaction.enabled", "Compact"),
        ...when(isOn("compaction.enabled"), [
          number("compaction.max_messages", "From", { unit: "messages" }),
          number("compaction.min_ratio", "But not below", { help: "share of the window" }),
          number("compaction.ratio", "Or from", { help: "share of the window" }),
          number("compaction.absolute_tokens", "Or from", { unit: "tokens", empty: "never" }),
          number("compaction.keep_last", "Messages kept"),
          number("compaction.max_tokens", "Summary at most", { unit: "tokens" }),
          number("compaction.temperature", "Temperature"),
          number("compaction.timeout_ms", "Time", { unit: "ms" }),
          choice("compaction.placement", "The summary stands", [
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
        number("max_iterations", "Steps of a run"),
        number("retries", "Attempts again", { help: "After a failed call of the model." }),
        choice("on_limit", "At the last step", [
          { id: "stop", name: "Stop", help: "The run ends; a person can continue it." },
          { id: "final_answer", name: "Answer", help: "The model answers with what it has." },
        ]),
        number("max_message_chars", "One message", { unit: "characters", isHalf: false }),
      ],
    },
    {
      title: "Time",
      fields: [
        number("timeouts.run_ms", "A run", { unit: "ms" }),
        number("timeouts.model_ms", "A model call", { unit: "ms" }),
        number("timeouts.idle_ms", "Silence of the model", { unit: "ms", isHalf: false }),
      ],
    },
    {
      title: "One reply",
      fields: [
        number("reply_limits.text_bytes", "Text", { unit: "bytes" }),
        number("reply_limits.arguments_bytes", "Arguments of its calls", { unit: "bytes" }),
        number("reply_limits.calls", "Tool calls", { isHalf: false }),
      ],
    },
    {
      title: "Subagents",
      fields: [
        number("subagent_settings.max_children", "Started by one run"),
        number("subagent_settings.max_active", "At the same time"),
        number("subagent_settings.max_depth", "Levels"),
        number("subagent_settings.result.max_chars", "Answer", { unit: "characters" }),
        number("subagent_settings.result.head", "Keep of the head", { unit: "characters" }),
        number("subagent_settings.result.tail", "Keep of the tail", { unit: "characters" }),
      ],
    },
    {
      title: "Threads",
      fields: [
        choice("threads.on_busy", "A message during a run", [
          { id: "queue", name: "Waits" },
          { id: "reject", name: "Is refused" },
          { id: "interrupt", name: "Stops it" },
        ]),
        number("threads.ttl_minutes", "A new conversation starts after", {
          unit: "minutes",
          help: "0: never.",
          isHalf: false,
        }),
        toggle("allow_client_system_messages", "System messages of API clients", "Off: they are refused."),
      ],
    },
    {
      title: "Trace",
      fields: [
        choice("trace.show_prompt", "Who reads the prompt's texts", [
          { id: "admins", name: "Admins" },
          { id: "everyone", name: "Everyone" },
        ]),
        number("trace.sample", "Share of runs traced"),
        number("trace.preview_chars", "Preview of an output", { unit: "characters" }),
        number("trace.max_body_chars", "Kept of one body", { unit: "characters", isHalf: false }),
      ],
    },
  ],
};
