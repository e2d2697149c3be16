import { escapeHtml } from "@/lib/schema/escape-html";
import { todosRound } from "./plan-rules";
import { capitalize, slugOf } from "./request";
import { callRound, codeBlock, type DemoScript, readJson, resultOf } from "./turn";

const MAKE = /\b(?:create|build|make|design|write|plan)\b/i;
const WEBSITE = /\b(?:web\s?site|web\s?page|landing page|home\s?page)\b/i;
const ABOUT = /^\s+(?:about|for|on)\s+/i;

/** What the website is about; null if the text asks for none. */
function topicOf(text: string): string | null {
  const asked = after(MAKE, text);
  const rest = asked === null ? null : after(WEBSITE, asked);
  if (rest === null) return null;
  const said = rest.replace(/[.!]$/, "");
  if (said === "") return "project";
  const topic = after(ABOUT, said);
  return topic === null || topic === "" ? null : topic.replace(/^(?:the|a|an|my)\s+/i, "").trim();
}

function after(pattern: RegExp, text: string): string | null {
  const found = pattern.exec(text);
  return found === null ? null : text.slice(found.index + found[0].length);
}

/** The script for "Plan and create a small website about …", or null. */
export function websiteScript(text: string, offered: ReadonlySet<string>): DemoScript | null {
  const topic = topicOf(text);
  if (topic === null) return null;
  const folder = slugOf(topic);
  const files = [
    { path: `${folder}/index.html`, content: page(topic), purpose: "The page: heading, text, a list" },
    { path: `${folder}/style.css`, content: STYLE, purpose: "Fonts, colours, spacing; light and dark" },
  ];
  const titles = ["Decide what the page needs", "Write the page and its style", "Check the page", "Sum up"];
  const readsBack = offered.has("read_file");
  return {
    needs: ["write_todos", "write_file"],
    rounds: [
      () =>
        todosRound(titles, 0, {
          thought: `A small website about ${topic}: one page and one style sheet.`,
          say: `I'll plan a small website about ${topic} and build it.`,
        }),
      () => todosRound(titles, 1, { thought: "Two files are enough; the plan is made.", say: "" }),
      () => ({
        thought: "Both files are independent, so I write them at the same time.",
        say: "Now the two files.",
        calls: files.map(({ path, content }) => ({ tool: "write_file", args: { path, content } })),
      }),
      () => todosRound(titles, 2, { thought: "Written. Now I check the page.", say: "" }),
      ...(readsBack
        ? [
            () =>
              callRound({ thought: "I read the page back to see that it is whole.", say: "" }, "read_file", {
                path: `${folder}/index.html`,
              }),
          ]
        : []),
      () => todosRound(titles, titles.length, { thought: "Everything is done; a summary is left.", say: "" }),
    ],
    conclude(done) {
      const written = done[2] ?? [];
      const rows = files.map(
        ({ path, purpose }, index) => `| \`${path}\` | ${sizeOf(written[index]?.text)} | ${purpose} |`,
      );
      const html = readsBack ? (resultOf(done, 4)?.text ?? "") : page(topic);
      const table = ["| File | Bytes | What it holds |", "| --- | ---: | --- |", ...rows].join("\n");
      return [
        `## A website about ${topic}`,
        table,
        "What I did:",
        "- planned four steps and kept the todo list up to date\n- wrote both files in one step\n- read the page back",
        "It begins like this:",
        codeBlock(html.split("\n").slice(0, 9).join("\n"), "html"),
        `Next, try "replace ${capitalize(topic)} with Welcome in ${folder}/index.html" or "list files in ${folder}".`,
      ].join("\n\n");
    },
  };
}

function sizeOf(result: string | undefined): string {
  const written = readJson(result) as { bytes_written?: unknown } | undefined;
  return typeof written?.bytes_written === "number" ? String(written.bytes_written) : "";
}

function page(topic: string): string {
  const title = escapeHtml(capitalize(topic));
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <header><h1>${title}</h1><p>A small page about ${escapeHtml(topic)}.</p></header>
  <main>
    <section>
      <h2>What to expect</h2>
      <ul>
        <li>A first look at ${escapeHtml(topic)}</li>
        <li>Why people care</li>
        <li>Where to read more</li>
      </ul>
    </section>
  </main>
  <footer><p>Written by the demo model.</p></footer>
</body>
</html>
`;
}

const STYLE = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.6; }
body { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 2.25rem; line-height: 1.15; margin: 0 0 0.5rem; }
footer { margin-top: 3rem; border-top: 1px solid; opacity: 0.7; }
`;
