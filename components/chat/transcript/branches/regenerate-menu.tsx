"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Header } from "react-aria-components/Header";
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { Modal } from "react-aria-components/Modal";
import { Popover } from "react-aria-components/Popover";
import { useShell } from "@/components/shell/shell-context";
import { ClosableOverlay } from "@/components/ui/overlays/closable-overlay";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import { modelLabel } from "@/lib/client/agents/model-names";
import { answerersQuery, costText } from "@/lib/client/chat/branches/answerers";
import { regenerate } from "@/lib/client/chat/branches/branch-actions";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { returnToComposer } from "@/lib/client/chat/composer/use-composer-focus";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useLasting } from "@/lib/client/ui/use-now";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { RegenerateBody } from "@/lib/schema/threads/thread-requests";
import type { BranchedThread } from "./branch-context";

interface RegenerateMenuProps {
  thread: BranchedThread;
  message: ChatMessage;
  /** The menu's anchor; a phone shows a sheet instead. */
  trigger: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Number of earlier agent versions offered. */
const EARLIER_VERSIONS = 3;
/** Nobody waits longer than this for a menu: it then opens with what is known, and says that the rest is loading. */
const LONGEST_WAIT_MS = 500;
const PHONE = "(max-width: 639px)";

/** Offers who may answer the message again: the same, another model, another agent or version. */
export function RegenerateMenu({ thread, message, trigger, onClose }: RegenerateMenuProps) {
  const client = useQueryClient();
  const isPhone = useMediaQuery(PHONE);
  const { choices, isPending } = useChoices(thread, message);
  const isSlow = useLasting(isPending, LONGEST_WAIT_MS);
  const start = (body: RegenerateBody) => {
    onClose();
    // The menu gives the focus back to its button, which is gone once the reply is.
    regenerate(client, { threadId: thread.id, messageId: message.id }, body).then(returnToComposer, (error: unknown) =>
      showToast({ title: errorMessage(error), tone: "error" }),
    );
  };
  // Opens with all of its rows: a late one would move those under the pointer.
  if (isPending && !isSlow) return null;
  const version = (message.metadata?.siblings?.length ?? 1) + 1;
  const menu = (
    <>
      <Menu aria-label="Regenerate" autoFocus="first" className="max-h-[60vh] overflow-y-auto outline-none">
        {(isPending ? choices.slice(0, 1) : choices).map(({ title, rows }) => (
          <MenuSection key={title} aria-label={title} className="border-b border-separator py-1">
            {title === SAME ? null : <Header className="px-2 py-1 text-xs text-muted">{title}</Header>}
            {rows.map((row) => (
              <ChoiceRow key={row.id} {...row} onAction={() => start(row.body)} />
            ))}
          </MenuSection>
        ))}
      </Menu>
      {isPending ? (
        <SkeletonList label="Loading other models and agents" rows={6} rowHeight={32} hasGlyph={false} />
      ) : null}
      <p className="px-2 py-1.5 text-xs text-muted">
        Makes version {version} of this reply. Files and memory stay as they are now.
      </p>
    </>
  );
  return isPhone ? (
    <Sheet onClose={onClose}>{menu}</Sheet>
  ) : (
    <Popover
      aria-label="Regenerate"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      placement="bottom start"
      offset={4}
      className="overlay-motion w-80 rounded-lg bg-overlay p-1 shadow-overlay"
    >
      {menu}
    </Popover>
  );
}

function Sheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ClosableOverlay isOpen onClose={onClose} className="overlay-motion fixed inset-0 z-40 flex items-end bg-backdrop">
      <Modal className="w-full rounded-t-4xl bg-overlay p-2 pb-4 shadow-overlay">
        <Dialog aria-label="Regenerate" className="outline-none">
          {children}
        </Dialog>
      </Modal>
    </ClosableOverlay>
  );
}

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly body: RegenerateBody;
  readonly isSame?: boolean;
}

function ChoiceRow({ id, name, hint, isSame = false, onAction }: Choice & { onAction: () => void }) {
  return (
    <MenuItem
      id={id}
      textValue={name}
      onAction={onAction}
      className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none touch-row max-sm:h-11 data-[focused]:bg-default"
    >
      {isSame ? <RotateCcw className="size-4 shrink-0 text-muted" aria-hidden /> : <span className="w-4 shrink-0" />}
      <span className={isSame ? "font-medium" : "min-w-0 truncate"}>{name}</span>
      <span className="ml-auto min-w-0 truncate pl-2 text-xs text-muted">{hint}</span>
    </MenuItem>
  );
}

const SAME = "Same again";

interface Choices {
  readonly choices: readonly { readonly title: string; readonly rows: readonly Choice[] }[];
  /** Some are still loading. */
  readonly isPending: boolean;
}

function useChoices(thread: BranchedThread, { id, metadata }: ChatMessage): Choices {
  const { viewer } = useShell();
  const agents = useQuery(agentsQuery);
  const answerers = useQuery(answerersQuery({ threadId: thread.id, messageId: id }));
  const answeredBy = metadata?.agentId ?? thread.agentId;
  const mayReadVersions = viewer.scopes.includes("admin");
  const versions = useQuery({ ...agentVersionsQuery(answeredBy), enabled: mayReadVersions });
  const agent = agents.data?.find((one) => one.id === answeredBy);
  const earlier = (versions.data ?? []).filter(({ current }) => !current).slice(0, EARLIER_VERSIONS);
  const others = (agents.data ?? []).filter((one) => one.id !== answeredBy);
  const name = agent?.name ?? answeredBy;
  const { models = [], draft = null } = answerers.data ?? {};
  const groups = [
    { title: SAME, rows: [{ id: "same", name: SAME, hint: sameText(agent, metadata), body: {}, isSame: true }] },
    {
      title: "Another model",
      rows: models.map(({ model, costUsd }) => ({
        id: model,
        name: modelLabel(model),
        hint: costText(costUsd),
        body: { agentId: answeredBy, model },
      })),
    },
    {
      title: "Another agent or version",
      rows: [
        ...earlier.map(({ number: version, note }) => ({
          id: `version ${version}`,
          name: `${name} ${versionLabel(version)}`,
          hint: note ?? "",
          body: { agentId: answeredBy, version },
        })),
        ...(draft === null
          ? []
          : [
              {
                id: "draft",
                name: `${name} draft`,
                hint: `r${draft.revision}`,
                body: { agentId: answeredBy, draft: true },
              },
            ]),
        ...others.map(({ id: agentId, name: other, version }) => ({
          id: `agent ${agentId}`,
          name: version === null ? other : `${other} ${versionLabel(version)}`,
          hint: "for this reply",
          body: { agentId },
        })),
      ],
    },
  ];
  return {
    choices: groups.filter(({ rows }) => rows.length > 0),
    isPending: agents.isPending || answerers.isPending || (mayReadVersions && versions.isPending),
  };
}

/** "coder v12, gpt-5": who answered, and with which model. */
function sameText(agent: AgentInfo | undefined, metadata: ChatMessage["metadata"]): string {
  const version = agent && agent.version !== null ? versionLabel(agent.version) : "";
  const who = agent ? `${agent.name} ${version}`.trim() : "";
  return [who, modelLabel(metadata?.model ?? agent?.model ?? "")].filter(Boolean).join(", ");
}
