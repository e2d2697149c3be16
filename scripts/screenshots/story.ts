// The content of the README's pictures: an agent that fixes a small Python project, and other threads around it.
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

export const REQUEST =
  "test_date_range fails on CI since Sunday, but only for the Berlin case. Find out why, fix it, and check that the other callers still work.";

/** The workspace before the run. */
export const FILES = {
  "date_range.py": `from datetime import datetime

DAY = 24 * 60 * 60


def days_between(start: datetime, end: datetime) -> int:
    """How many days lie between two moments."""
    seconds = end.timestamp() - start.timestamp()
    return int(seconds // DAY)
`,
  "test_date_range.py": `import unittest
from datetime import datetime, timedelta, timezone

from date_range import days_between

WINTER = timezone(timedelta(hours=1), "CET")
SUMMER = timezone(timedelta(hours=2), "CEST")


class DaysBetween(unittest.TestCase):
    def test_utc(self):
        start = datetime(2026, 3, 28, tzinfo=timezone.utc)
        self.assertEqual(days_between(start, start + timedelta(days=2)), 2)

    def test_berlin_when_clocks_change(self):
        start = datetime(2026, 3, 28, tzinfo=WINTER)
        end = datetime(2026, 3, 30, tzinfo=SUMMER)
        self.assertEqual(days_between(start, end), 2)
`,
  "weekly_report.py": `from date_range import days_between


def title(start, end):
    return f"Report over {days_between(start, end)} days"
`,
};

const TITLES = [
  "Reproduce the failing test",
  "Find the cause in date_range.py",
  "Compare calendar days instead of seconds",
  "Check the other callers",
  "Sum up what changed",
];

function todos(done: number) {
  const status = (index: number) => (index < done ? "done" : index === done ? "in_progress" : "pending");
  const list = TITLES.map((title, index) => ({ id: String(index + 1), title, status: status(index) }));
  return { name: "write_todos", args: { todos: list } };
}

const TESTS = { name: "execute", args: { command: "python3 -m unittest -v test_date_range" } };

/** The model's replies, one per step. The last but one waits for `held` while the pictures are taken. */
export function story(held: Promise<void>): ScriptedAnswer[] {
  const usage = (input: number, cached: number, output: number) => ({ usage: { input, cached, output } });
  return [
    {
      reasoning:
        "Only the Berlin case fails, and only since Sunday: the clocks changed. I should see how the days are counted before I touch anything.",
      text: "I'll reproduce it first, then look at how the days are counted.",
      calls: [todos(0), TESTS],
      ...usage(3180, 0, 214),
    },
    {
      calls: [
        { name: "grep", args: { pattern: "days_between" } },
        { name: "read_file", args: { path: "date_range.py" } },
        { name: "read_file", args: { path: "test_date_range.py" } },
        { name: "read_file", args: { path: "weekly_report.py" } },
      ],
      ...usage(3920, 3100, 96),
    },
    {
      text: "Found it: two midnights in Berlin lie 47 hours apart when summer time begins, and `//` drops the day that is one hour short. Comparing calendar days fixes it.",
      calls: [todos(2), edit()],
      ...usage(5240, 3900, 188),
    },
    { calls: [TESTS], ...usage(5660, 5200, 41) },
    { calls: [todos(3)], gate: held, ...usage(5910, 5600, 120) },
    {
      text: "The Berlin case passes again.\n\n| Caller | Passes | Effect |\n| --- | --- | --- |\n| `weekly_report.py` | whole days | none |\n| `test_date_range.py` | midnights | fixed |\n\nNobody relied on the old rounding: both callers pass midnights.",
      calls: [todos(5)],
      ...usage(6120, 5900, 160),
    },
    { text: "`days_between` now compares calendar days, and all tests pass.", ...usage(6300, 6100, 32) },
  ];
}

function edit() {
  return {
    name: "edit_file",
    args: {
      path: "date_range.py",
      old_text: "    seconds = end.timestamp() - start.timestamp()\n    return int(seconds // DAY)",
      new_text: "    return (end.date() - start.date()).days",
    },
  };
}

/** Other threads in the lists, oldest first: agent, request and replies. */
export const OTHERS: readonly (readonly [string, string, readonly ScriptedAnswer[]])[] = [
  ["analyst", "Explain the lease and epoch of a run", reply("A lease says who works on a run, the epoch since when.")],
  ["writer", "Draft release notes 2.8", reply("# 2.8\n\nFaster lists, fewer surprises.")],
  ["writer", "Migrate settings to zod 4", [{ fault: { status: 401, message: "Incorrect API key provided" } }]],
  ["analyst", "Compare three PDF libraries", reply("Two of them keep text selectable.")],
  ["analyst", "Review of the retry policy", reply("Three attempts with growing pauses are enough here.")],
  ["counter", "Count the words of every page", [counting(), counting()]],
  ["analyst", "Summarise the incident of Monday", reply("A full disk stopped the import for 14 minutes.")],
  ["analyst", "Postgres index for the audit log", reply("An index over (subject, created_at) serves both lists.")],
  ["writer", "Quarterly numbers from the invoices", reply("Revenue grew by **12 %** against the quarter before.")],
  ["writer", "Tidy up the glossary", reply("Eleven entries said the same twice; they are one now.")],
  ["analyst", "Which port does the exporter use", reply("It listens on 9464 unless told otherwise.")],
  ["writer", "Shorten the welcome mail", reply("Four sentences are left of eleven.")],
];

function reply(text: string): ScriptedAnswer[] {
  return [{ text, usage: { input: 2400 + text.length * 7, cached: 1900, output: text.length } }];
}

function counting(): ScriptedAnswer {
  return { calls: [{ name: "calculate", args: { expression: "18 * 412" } }], usage: { input: 3300, output: 24 } };
}

export const CODER = {
  name: "Coder",
  description: "Reads, changes and tests code in its workspace.",
  system_prompt:
    "You are a careful programmer.\n\nReproduce a fault before you fix it. Read a file before you change it, keep changes small,\nand run the tests after every change. Say plainly what you did not check.",
  tools: ["calculate", "current_datetime"],
  backend: { type: "local" },
  max_iterations: 40,
  retries: 4,
  timeouts: { model_ms: 240000, idle_ms: 60000 },
  eviction: { max_chars: 60000, head: 2000, tail: 2000 },
  summarization: { ratio: 0.8, keep_ratio: 0.15 },
};

/** The answers of a heartbeat's beats that call a model, in order; after that nothing. */
export const BEATS: ScriptedAnswer[] = [
  "3 reviews wait for you: billing, search and the importer.",
  "NO_REPLY",
  "CI is red on main: the importer's tests time out since this morning.",
  "NO_REPLY",
  "NO_REPLY",
  "NO_REPLY",
  "Two invoices came in: one over 41.20 euros, one over 118.90 euros.",
  "NO_REPLY",
].flatMap(reply);

/** A conversation that one agent hands to another: who they are, what they reply, and what the person asks. */
export const HANDOFF = {
  agents: {
    triage: { description: "Answers first.", delegates: ["billing"] },
    billing: { description: "Books in the ledger.", delegates: ["shipping", "legal"] },
    shipping: { description: "Parcels and returns." },
    legal: { description: "Terms and complaints." },
  },
  replies: {
    triage: [
      ...reply("None. The last one, 4471, left on 20 November and arrived on the 22nd."),
      {
        text: "Both payments are there: 19 November by card, 23 November by transfer. I may read the ledger but not book in it, so I hand this over to billing.",
        calls: [{ name: "handoff", args: { agent: "billing", reason: "Needs to book in the ledger." } }],
        usage: { input: 3100, cached: 2400, output: 64 },
      },
    ],
    billing: reply(
      "The transfer of 23 November is the second one. I have booked 412.60 euros back and written to them.",
    ),
  },
  requests: [
    "Which orders of Nordwind are not shipped yet?",
    "Nordwind paid order 4471 twice, once by card and once by transfer. Give the second payment back and tell them.",
  ],
} as const;

/** What the members of a board hand in. */
export const MEMBERS = {
  ann: reply("41 pull requests were merged since 2.8. Six of them break something."),
  ben: reply("The notes are written: the six breaking changes first, then what is new."),
} as const;

/** The cards of a board, with who is to take each and which other it waits for. */
export const CARDS = [
  { title: "Collect the pull requests since 2.8", assignee: "ann", after: null },
  { title: "Count the lines of every change", assignee: "counter", after: null },
  { title: "Write the notes", assignee: "ben", after: 0 },
  { title: "Translate the notes", assignee: null, after: 2 },
] as const;
