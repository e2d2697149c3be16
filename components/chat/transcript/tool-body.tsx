import Link from "next/link";
import { use } from "react";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { NextTimes } from "@/components/schedules/next-times";
import { SharedContext } from "@/components/share/shared-context";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Diff } from "@/components/ui/code/diff";
import { Terminal } from "@/components/ui/code/terminal";
import { ScrollArea } from "@/components/ui/scroll-area";
import { truncationText } from "@/lib/client/chat/tool-status";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { patchRows } from "@/lib/client/files/diff-rows";
import { sentenceOf } from "@/lib/client/schedules/schedule-call";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { Todo } from "@/lib/schema/runs/todo";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { TodoRing } from "./todo-ring";

interface ToolBodyProps {
  call: ToolCallView;
  /** Link to the run's trace, which stores the pictures that a model was shown. */
  traceHref?: string | null;
}

/** The body of an expanded card: the tool's own drawing if it has one, otherwise the plain arguments and result. */
export function ToolBody({ call, traceHref = null }: ToolBodyProps) {
  const display = ToolDisplay.safeParse(call.display);
  return (
    <>
      {display.success ? (
        <DisplayBody call={call} display={display.data} traceHref={traceHref} />
      ) : (
        <PlainBody call={call} />
      )}
      {call.error === null ? null : <ErrorText text={call.error} />}
      {call.truncatedChars > 0 ? (
        <p className="border-t border-separator px-3 py-1.5 text-xs text-muted">
          {truncationText(call.truncatedChars)}
        </p>
      ) : null}
    </>
  );
}

function DisplayBody({ call, display, traceHref }: Required<ToolBodyProps> & { display: ToolDisplay }) {
  switch (display.kind) {
    case "image":
      return traceHref === null ? (
        <PlainBody call={call} />
      ) : (
        <img
          src={`/api${traceHref}/images/${display.hash}`}
          alt={display.path}
          width={display.width}
          height={display.height}
          loading="lazy"
          className="h-auto max-h-80 w-auto max-w-full object-contain p-3"
        />
      );
    case "command":
      return (
        <Terminal
          command={display.command}
          output={display.output}
          exitCode={display.exitCode}
          note={display.stopped ?? display.notice}
        />
      );
    case "file-change":
      return <FileChange display={display} />;
    case "file-text":
      return <CodeBlock isBare code={call.output} title={display.path} className="max-h-80 overflow-auto" />;
    case "mcp":
      return <McpContent display={display} />;
    case "web-page":
      return <CodeBlock isBare wrap code={call.output} title={display.url} className="max-h-80 overflow-auto" />;
    case "web-hits":
      return (
        <Lines
          label={`Results for ${display.query}`}
          lines={display.hits.map(({ url, title }) => ({ key: url, text: title, fact: hostOf(url) }))}
        />
      );
    case "schedules":
      return <Schedules schedules={display.schedules} />;
    case "todos":
      return <TodoLines todos={display.todos} />;
    case "entries":
      return (
        <Lines
          label={`Entries of ${display.path}`}
          lines={display.entries.map((entry) => ({
            key: entry.name,
            text: entry.type === "dir" ? `${entry.name}/` : entry.name,
            fact: entry.type === "file" ? formatBytes(entry.size) : entry.type === "link" ? "link" : "",
          }))}
          note={display.omitted > 0 ? `${display.omitted} more entries are not shown` : undefined}
        />
      );
    case "files":
      return (
        <Lines
          label={`Files that match ${display.pattern}`}
          lines={display.files.map((file) => ({ key: file, text: file, fact: "" }))}
          note={display.truncated ? "The list was cut" : undefined}
        />
      );
    case "matches":
      return (
        <Lines
          label={`Matches of ${display.pattern}`}
          lines={display.matches.map((match) => ({
            key: `${match.file}:${match.line}`,
            text: match.text.trim(),
            fact: `${match.file}:${match.line}`,
          }))}
          note={display.truncated ? "The list was cut" : undefined}
        />
      );
  }
}

function Schedules({ schedules }: Pick<Extract<ToolDisplay, { kind: "schedules" }>, "schedules">) {
  if (schedules.length === 0) return <Note>No schedules.</Note>;
  return (
    <ul className="divide-y divide-separator text-sm">
      {schedules.map(({ id, name, time, timezone, enabled, next }) => (
        <li key={id} className="px-3 py-2.5">
          <p className="flex flex-wrap gap-x-3">
            <Link href={`/automations/schedules/${id}`} prefetch={false} className="text-link hover:underline">
              {name}
            </Link>
            <span>
              {sentenceOf(time)}, {timezone}
            </span>
            {enabled ? null : <span className="text-muted">Paused</span>}
          </p>
          {enabled ? <NextTimes next={next} timezone={timezone} /> : null}
        </li>
      ))}
    </ul>
  );
}

/** An MCP server's result, in order. Images are the server's own bytes and load nothing from elsewhere. */
function McpContent({ display }: { display: Extract<ToolDisplay, { kind: "mcp" }> }) {
  return (
    <div className="divide-y divide-separator">
      {display.content.map((part, index) =>
        part.type === "image" ? (
          <img
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result never change their order.
            key={index}
            src={`data:${part.mediaType};base64,${part.data}`}
            alt={`Part ${index + 1} of the result`}
            className="max-h-80 max-w-full object-contain p-3"
          />
        ) : (
          <CodeBlock
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result never change their order.
            key={index}
            isBare
            wrap
            code={part.text}
            title={part.type === "resource" ? part.uri : "result"}
            className="max-h-80 overflow-auto"
          />
        ),
      )}
    </div>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

function FileChange({ display }: { display: Extract<ToolDisplay, { kind: "file-change" }> }) {
  if (display.patch === null) {
    return <Note>{`${formatBytes(display.sizeBytes)}, too large or not text: no comparison.`}</Note>;
  }
  if (display.patch === "") return <Note>Nothing changed.</Note>;
  return <Diff rows={patchRows(display.patch)} path={display.path} className="max-h-96" />;
}

interface Line {
  key: string;
  text: string;
  fact: string;
}

function Lines({ label, lines, note }: { label: string; lines: readonly Line[]; note?: string }) {
  if (lines.length === 0) return <Note>Nothing found.</Note>;
  return (
    <>
      <ScrollArea label={label} className="max-h-72 bg-code py-1 font-mono text-xs leading-5">
        <ul>
          {lines.map((line) => (
            <li key={line.key} className="flex gap-4 px-3">
              <span className="min-w-0 flex-1 truncate" title={line.text}>
                {line.text}
              </span>
              <span className="tnum max-w-[50%] shrink-0 truncate text-2xs text-subtle" title={line.fact}>
                {line.fact}
              </span>
            </li>
          ))}
        </ul>
      </ScrollArea>
      {note ? <Note>{note}</Note> : null}
    </>
  );
}

function TodoLines({ todos }: { todos: readonly Todo[] }) {
  return (
    <ol className="px-3 py-1.5">
      {todos.map((todo) => (
        <li key={todo.id} className="flex min-h-[26px] items-center gap-2 text-sm">
          <TodoRing status={todo.status} work="waiting" />
          <span className={todo.status === "done" ? "text-muted" : undefined}>{todo.title}</span>
        </li>
      ))}
    </ol>
  );
}

function PlainBody({ call }: { call: ToolCallView }) {
  const hasArgs = Object.keys(call.args).length > 0;
  return (
    <div className="divide-y divide-separator">
      {hasArgs ? (
        <div>
          <CallArguments args={call.args} kind={call.kind} isWriting={call.state === "writing"} />
        </div>
      ) : null}
      {call.output ? (
        <CodeBlock isBare wrap code={call.output} title="result" className="max-h-80 overflow-auto" />
      ) : null}
      {hasArgs || call.output || call.error ? null : <EmptyNote />}
    </div>
  );
}

/** In a shared copy, what was not ticked looks like what was not there. */
function EmptyNote() {
  const shared = use(SharedContext);
  const missing = (["arguments", "results"] as const).filter((name) => shared?.includes(name) === false);
  if (missing.length === 0) return <Note>No arguments.</Note>;
  return (
    <Note>
      {missing.length === 2 ? "Its arguments and results are not shared." : `Its ${missing[0]} are not shared.`}
    </Note>
  );
}

function ErrorText({ text }: { text: string }) {
  return (
    <p className="border-t border-separator bg-fail-soft px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap text-fail-text first:border-t-0">
      {text}
    </p>
  );
}

function Note({ children }: { children: string }) {
  return <p className="px-3 py-2 text-xs text-muted">{children}</p>;
}
