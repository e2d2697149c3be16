"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { createMcpServer, MCP_KEY } from "@/lib/client/tools/mcp-queries";
import { type GalleryEntry, TOOL_GALLERY } from "@/lib/client/tools/tool-gallery";
import { showToast } from "@/lib/client/ui/toast-store";
import { secret } from "@/lib/schema/new-secret";
import { CreateMcpServerBody } from "@/lib/schema/tools/mcp-server";

/** Tools that only need their address or key. */
export function ToolGallery({ onChoose }: { onChoose: (entry: GalleryEntry) => void }) {
  return (
    <section aria-label="Gallery" className="mx-auto w-full max-w-[728px] px-4 py-6">
      <h2 className="mb-2 text-sm font-medium">Gallery</h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {TOOL_GALLERY.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              onClick={() => onChoose(entry)}
              className="flex h-full w-full flex-col gap-1 rounded-lg border border-border p-3 text-left hover:bg-default"
            >
              <span className="text-sm font-medium">{entry.title}</span>
              <span className="text-xs text-muted">{entry.says}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type ServerEntry = Extract<GalleryEntry, { kind: "server" }>;

/** Asks for the one text that a server needs; its tools are accepted on its page. */
export function GalleryServerDialog({ entry, onClose }: { entry: ServerEntry; onClose: () => void }) {
  const router = useRouter();
  const { asks, title, says, serverOf } = entry;
  const [schema] = useState(() => schemaOf(entry));
  const form = useForm({
    schema,
    initial: { answer: "" },
    fieldOf: answerField,
    save: (body: z.output<typeof CreateMcpServerBody>) => createMcpServer(body),
    invalidates: [MCP_KEY],
    onSaved: (server) => {
      showToast({ title: `Added ${server.id}. Accept its tools to offer them.` });
      onClose();
      router.push(`/admin/tools?tab=mcp&server=${encodeURIComponent(server.id)}`);
    },
  });
  return (
    <FormDialog form={form} title={`Add ${title}`} submitLabel="Add server" onClose={onClose}>
      <p className="text-sm text-muted">{says}</p>
      <Field of={form} name="answer" label={asks.label} description={asks.description} mono isRequired autoFocus />
      <p className="font-mono text-xs text-muted">{placeOf(serverOf("…"))}</p>
    </FormDialog>
  );
}

function schemaOf({ asks, serverOf }: ServerEntry) {
  const answer = asks.isSecret ? secret(z.string().trim()) : z.string().trim();
  return formSchema(z.object({ answer }), (form) => serverOf(form.answer), CreateMcpServerBody);
}

function answerField(): string {
  return "answer";
}

function placeOf({ url, command, args = [] }: CreateMcpServerBody): string {
  return url ?? [command, ...args].join(" ");
}
