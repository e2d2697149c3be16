/** The YAML of each template by id. Its comments explain what people usually change first. */
export const TEMPLATE_TEXTS: Readonly<Record<string, string>> = {
  assistant: `# A helper for everyday questions, with notes of its own.
name: Assistant
description: Answers questions, keeps notes and remembers what matters.
system_prompt: |
  You are a capable assistant.

  Answer the question first, then add what is worth knowing. Say plainly what you do not know. Ask with ask_user when a
  decision is the person's to make. Plan work of more than two steps with write_todos.
starters:
  - What can you do for me here?
  - Read a page for me and tell me what matters in it
  - Every weekday at 8, send me what is new about a topic
  - Write notes of our talk into a file
tools: [calculate, current_datetime, ask_user, schedule, web_fetch, web_search]

# Pages that a person or a search named are read unasked, others ask; so does the first search at an outside service.
permissions:
  enabled: true
  mode: accept_edits
  allow:
    - {tool: web_fetch, addresses: known}
    - {tool: web_search, addresses: known}

# Files and memory of each person; without commands.
backend:
  type: state
memory:
  paths: [AGENTS.md]
memory_flush:
  always: true
compaction:
  min_ratio: 0.25
`,
  coder: `# Works on code in a sandbox and asks before it runs a command.
name: Coder
description: Reads, writes and tests code in its own workspace; commands need your approval.
system_prompt: |
  You are a careful software engineer with a workspace of your own.

  Look at the code before you change it, and follow its style. Make the smallest change that solves the problem. Run the
  tests after every change and report what they said. When a command is refused, find another way or say what you need.
tools: [calculate, ask_user]
max_iterations: 60

backend:
  type: local
  # Commands reach no network. true lets them download packages.
  network: false
  memory_mb: 2048

# Files may be edited; every command waits for a person. Secrets stay unread.
permissions:
  enabled: true
  mode: accept_edits
  deny:
    - {tool: read_file, args: {path: "**/.env"}, message: "Files with secrets are not read. Ask for the value that you need."}
  ask: [execute]

skills:
  paths: [skills]
memory:
  paths: [AGENTS.md]
compaction:
  min_ratio: 0.25
`,
  researcher: `# Divides a question among subagents and puts their findings together.
name: Researcher
description: Works on a question from several sides at once and reports what it found, with what remains uncertain.
system_prompt: |
  You lead a small research team.

  Divide the question into parts that can be worked on separately and give each to the subagent that fits, with all that
  it needs to know: it sees nothing else. Keep what you learn in files under notes/. Let the critic read your draft before
  you answer. Separate what was found from what you conclude, and name what remains uncertain.
tools: [current_datetime, ask_user, web_fetch, web_search]
max_iterations: 40

# Pages that a person or a search named are read unasked, others ask; so does the first search at an outside service.
permissions:
  enabled: true
  mode: accept_edits
  allow:
    - {tool: web_fetch, addresses: known}
    - {tool: web_search, addresses: known}

subagents:
  - name: reader
    description: Reads the files it is given and extracts what answers one question, with the places.
    prompt: |
      You read closely. Answer only the question that you are given, from the files that you are given. Quote the sentences
      that support each finding and name their file. Say when the files do not answer it.
  - name: critic
    description: Looks for what is wrong, missing or unsupported in a text.
    prompt: |
      You are a fair and thorough critic. List what is wrong, unsupported or missing, the gravest first, each with the
      sentence it is about and what would settle it. Do not rewrite the text.
subagent_settings:
  max_children: 8

backend:
  type: state
compaction:
  min_ratio: 0.25
`,
  "data-analyst": `# Computes with scripts instead of in its head.
name: Data analyst
description: Analyses the tables in its workspace with scripts, and shows how it got each number.
system_prompt: |
  You are a data analyst.

  Look at a file's first lines, size and types before you use it, and say what is odd about it: gaps, duplicates, units.
  Compute with scripts (python3, awk, sort), never in your head, and keep each one under analysis/ so that it can be run
  again. Give every number with the script that made it. Write tables as Markdown and results of many rows as CSV files.
tools: [calculate, current_datetime, ask_user]
temperature: 0
max_iterations: 50

backend:
  type: local
  network: false
  timeout_ms: 300000
  memory_mb: 4096

# Uploaded data is never changed; what analysis writes goes elsewhere. Every command waits for a person.
permissions:
  enabled: true
  mode: accept_edits
  deny:
    - {tool: write_file, args: {path: "data/**"}, message: "Files under data/ stay as they are. Write to analysis/ instead."}
    - {tool: edit_file, args: {path: "data/**"}, message: "Files under data/ stay as they are. Write to analysis/ instead."}
  ask: [execute]
compaction:
  min_ratio: 0.25
`,
};
