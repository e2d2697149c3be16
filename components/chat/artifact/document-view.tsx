"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FileLoading, FileNote, FileProblem } from "@/components/chat/files/file-states";
import { Select } from "@/components/ui/controls/select";
import { Markdown } from "@/components/ui/markdown/markdown";
import { documentMarkdown, sheetsOf } from "@/lib/client/files/artifact/document-text";
import { documentQuery } from "@/lib/client/files/file-queries";
import { formatCount } from "@/lib/client/ui/text/format";
import { TableView } from "./table-view";

/** More is downloaded. */
const MOST_CHARACTERS = 200_000;

export interface DocumentViewProps {
  threadId: string;
  path: string;
  version: number | null;
  kind: "document" | "sheets";
}

/** A Word or Excel file as the server reads it for an agent: its text by page, or its sheets as tables. */
export function DocumentView({ threadId, path, version, kind }: DocumentViewProps) {
  const reading = useQuery(documentQuery(threadId, path, version));
  if (reading.isPending) return <FileLoading />;
  if (reading.isError) return <FileProblem error={reading.error} onRetry={reading.refetch} />;
  const { text, refused } = reading.data;
  if (refused !== null) return <FileNote>{refused}</FileNote>;
  if (text === null) return <FileNote>The file is not what its name says. Download it.</FileNote>;
  return kind === "sheets" ? <Sheets text={text} /> : <RawText text={text} />;
}

function RawText({ text }: { text: string }) {
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4 [--scroll-ground:var(--background)]">
      <Markdown text={documentMarkdown(text.slice(0, MOST_CHARACTERS))} />
      {text.length > MOST_CHARACTERS ? (
        <p className="mt-4 text-xs text-muted">
          {formatCount(text.length - MOST_CHARACTERS)} more characters are not shown. Download the file.
        </p>
      ) : null}
    </div>
  );
}

function Sheets({ text }: { text: string }) {
  const sheets = sheetsOf(text);
  const [chosen, setChosen] = useState("0");
  const shown = sheets[Number(chosen)] ?? sheets[0];
  if (shown === undefined) return <FileNote>The file has no sheets.</FileNote>;
  return (
    <>
      {sheets.length > 1 ? (
        <div className="shrink-0 px-3 py-1">
          <Select
            label="Sheet"
            look="bare"
            value={chosen}
            options={sheets.map(({ name }, place) => ({ id: String(place), name }))}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <TableView key={chosen} text={shown.rows} isTabbed={false} />
    </>
  );
}
