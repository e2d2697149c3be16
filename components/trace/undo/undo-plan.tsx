import { Files, Minus, Trash2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";
import type { UndoAction, UndoFile, UndoPreview } from "@/lib/schema/traces/undo";

interface Verb {
  readonly word: string;
  readonly icon: ReactNode;
  readonly look?: string;
}

const VERBS: Readonly<Record<UndoAction, Verb>> = {
  restore: { word: "Restore", icon: <Undo2 /> },
  delete: { word: "Delete", icon: <Trash2 />, look: "text-fail-text" },
  keep_both: { word: "Keep both", icon: <Files />, look: "text-live-text" },
  leave: { word: "Leave", icon: <Minus />, look: "text-muted" },
};

/** Rows with the verb first; what can't be undone is in brass, with who or what allowed it. */
export function UndoPlan({ plan }: { plan: UndoPreview }) {
  const { sentence, files, memory, todos, cannotUndo, callsKnown } = plan;
  const [first, ...more] = sentence.split(". ");
  const memoryAndPlan = memory.length > 0 || todos;
  return (
    <>
      <p className="text-base font-medium">{more.length === 0 ? first : `${first}.`}</p>
      <p className="mt-0.5 text-sm text-muted">
        {[...more, ...(files.length + memory.length > 0 ? ["The undo is stored as new versions by you."] : [])]
          .join(". ")
          .replace("..", ".")}
      </p>
      {files.length === 0 ? null : (
        <Block title="Files">
          {files.map((file) => (
            <FileRow key={`${file.agentId ?? ""} ${file.path}`} file={file} />
          ))}
        </Block>
      )}
      {memoryAndPlan ? (
        <Block title="Memory and plan">
          {memory.map((file) => (
            <FileRow key={`${file.agentId ?? ""} ${file.path}`} file={file} />
          ))}
          {todos ? (
            <Row verb={VERBS.restore} name="Plan">
              as it was before the run
            </Row>
          ) : null}
        </Block>
      ) : null}
      {cannotUndo.length === 0 ? null : (
        <section className="mt-4 overflow-hidden rounded-lg border border-signal-line">
          <h3 className="flex flex-wrap items-center justify-between gap-x-3 bg-signal-soft px-3 py-2 text-xs font-medium">
            {cannotUndo.length === 1 ? "1 call can’t be undone" : `${cannotUndo.length} calls can’t be undone`}
            <span className="font-normal">They may have reached other systems.</span>
          </h3>
          <ul>
            {cannotUndo.map(({ toolCallId, tool, gist, allowedBy }) => (
              <li
                key={toolCallId}
                className="flex min-h-[34px] flex-wrap items-center gap-x-2 border-t border-separator px-3 py-1.5 text-xs"
              >
                <span className="font-mono font-medium">{tool}</span>
                <span className="min-w-0 flex-1 truncate font-mono" title={gist ?? undefined}>
                  {gist}
                </span>
                <span className="text-signal-text">{allowedBy ?? "It is not known what allowed it"}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {callsKnown ? null : (
        <p className="mt-4 text-sm text-signal-text">
          The run’s calls are not recorded, so what reached other systems is not known.
        </p>
      )}
    </>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h3 className="mb-1.5 text-xs font-medium">{title}</h3>
      <ul className="divide-y divide-separator rounded-lg border border-border">{children}</ul>
    </section>
  );
}

function FileRow({ file: { path, agentId, action, reason } }: { file: UndoFile }) {
  return (
    <Row verb={VERBS[action]} name={<span className="font-mono">{path}</span>}>
      {[agentId === undefined ? null : `of ${agentId}`, reason ?? null].filter((words) => words !== null).join(", ")}
    </Row>
  );
}

function Row({ verb, name, children }: { verb: Verb; name: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-[35px] flex-wrap items-center gap-x-3 px-3 py-1.5 text-xs">
      <span className={classNames("flex w-[92px] shrink-0 items-center gap-1.5 [&>svg]:size-3.5", verb.look)}>
        {verb.icon}
        {verb.word}
      </span>
      <span className="font-medium break-all">{name}</span>
      <span className="min-w-0 flex-1 text-muted max-sm:basis-full">{children}</span>
    </li>
  );
}
