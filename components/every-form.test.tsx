import { readdirSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AddProviderDialog } from "@/components/admin/providers/add-provider-dialog";
import { ModelDefaultsDialog } from "@/components/admin/providers/model-defaults-dialog";
import { NameModelDialog } from "@/components/admin/providers/name-model-dialog";
import { PriceForm } from "@/components/admin/providers/price-form";
import { ProviderFields } from "@/components/admin/providers/provider-fields";
import { RenameProviderDialog } from "@/components/admin/providers/rename-provider-dialog";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { writeKept } from "@/lib/client/forms/kept-values";
import { newServerForm } from "@/lib/client/tools/mcp-server-form";
import { TOOL_GALLERY } from "@/lib/client/tools/tool-gallery";
import { replayPlanQuery } from "@/lib/client/trace/replay/replay-queries";
import { oidcQuery } from "@/lib/client/users/oidc-queries";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import type { Channel } from "@/lib/schema/channels/channel";
import type { Project } from "@/lib/schema/projects/project";
import type { Provider, ProviderList } from "@/lib/schema/provider";
import type { SkillDetail } from "@/lib/schema/skills/skill";
import type { CallbackTool } from "@/lib/schema/tools/http-tool";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import type { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import type { OidcSettings } from "@/lib/schema/users/oidc";
import { filesWith, type KeptForm, testKept } from "@/lib/testing/react/kept-forms";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DuplicateDialog } from "./admin/agents/duplicate-dialog";
import { NameVersionDialog } from "./admin/agents/versions/name-version-dialog";
import { ChannelDialog } from "./admin/channels/channel-dialog";
import { ChannelEdit } from "./admin/channels/channel-edit";
import { NewSkillDialog } from "./admin/skills/new-skill-dialog";
import { AddSkillFile } from "./admin/skills/skill-file-changes";
import { HttpToolDialog } from "./admin/tools/http/http-tool-dialog";
import { ImportOpenApiDialog } from "./admin/tools/http/import-openapi-dialog";
import { RequestToolDialog } from "./admin/tools/http/request-tool-dialog";
import { TestHttpToolDialog } from "./admin/tools/http/test-http-tool-dialog";
import { GalleryServerDialog } from "./admin/tools/http/tool-gallery";
import { McpServerDialog } from "./admin/tools/mcp/mcp-server-dialog";
import { BudgetDialog } from "./admin/usage/budget-dialog";
import { AddKeyDialog } from "./admin/users/add-key-dialog";
import { AddUserDialog } from "./admin/users/add-user-dialog";
import { GroupDialog } from "./admin/users/group-dialog";
import { InviteDialog } from "./admin/users/invite-dialog";
import { SignInTab } from "./admin/users/sign-in-tab";
import { WebhookDialog } from "./admin/webhooks/webhook-dialog";
import { BoardDialog } from "./boards/board-dialog";
import { CardDialog, NoteDialog } from "./boards/card-dialogs";
import { EditInstructions } from "./projects/edit-instructions";
import { EditMember } from "./projects/edit-member";
import { EditProject } from "./projects/edit-project";
import { EditPromptDialog } from "./prompts/edit-prompt-dialog";
import { AddHeartbeatDialog, EditHeartbeatDialog } from "./schedules/heartbeats/heartbeat-dialog";
import { ScheduleEditor } from "./schedules/schedule-editor";
import { NewAlertDialog } from "./trace/alerts/alert-dialog";
import { SaveViewDialog } from "./trace/list/view-dialogs";
import { NewNote } from "./trace/notes/note-form";
import { ReplayDialog } from "./trace/replay/replay-dialog";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));

const close = () => undefined;
const SHELL = { viewer: { scopes: ["admin"] }, setPageKeys: close } as unknown as Shell;

beforeEach(() => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ groups: [], agents: [], users: [], projects: [], versions: [], apiKeys: [], nextCursor: null }),
  );
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const PROVIDER = { id: "lab", name: "Lab", models: [] } as unknown as Provider;
const LIST: ProviderList = {
  providers: [
    {
      ...PROVIDER,
      kind: "openai-compatible",
      source: "database",
      variable: null,
      offered: ["a", "b"],
      problem: null,
      isDefault: true,
    },
  ],
  defaultModel: "lab:a",
  nextCursor: null,
};
const BOARD = { id: "b1", tasks: [], team: [], members: [] } as unknown as Board;
const CARD = { id: "c1", number: 1, question: "" } as unknown as BoardCard;
const PROJECT = { id: "p1", role: "owner", instructions: null } as unknown as Project;
const SKILL = { name: "pdf", files: [], version: 1 } as unknown as SkillDetail;
const TOOL = {
  kind: "callback",
  name: "weather",
  callback_url: "https://x.test",
  signed: false,
  parameters: {},
} as unknown as CallbackTool;
const GITHUB = TOOL_GALLERY.flatMap((entry) => (entry.kind === "server" && entry.id === "github" ? [entry] : []))[0];
if (!GITHUB) throw new Error("The gallery has no GitHub.");
const CHANNEL = { id: "ch1", kind: "slack", name: "Acme", agentId: "coder" } as unknown as Channel;
const HEARTBEAT = {
  id: "h1",
  agentName: "Coder",
  every: "30m",
  active: null,
  timezone: "user",
  max_steps: 5,
  budget: { day_usd: 1 },
  on_ask: "deny",
  deliver: "last",
  when: [],
} as unknown as Heartbeat;
const radio = (name: string) => () => fireEvent.click(screen.getByRole("radio", { name }));
const button = (name: string) => () => fireEvent.click(screen.getByRole("button", { name }));
const server = (typed: Partial<ReturnType<typeof newServerForm>>) => () => {
  cleanup();
  writeKept("mcp-server new", { base: { ...newServerForm() }, typed: { ...newServerForm(), ...typed } });
  show(<McpServerDialog stdioAllowed onClose={close} onSaved={close} />);
};

/** By the file that has the form. */
const FORMS: Readonly<Record<string, KeptForm>> = {
  "admin/agents/duplicate-dialog.tsx": { show: () => <DuplicateDialog agentId="coder" onClose={close} /> },
  "admin/agents/versions/name-version-dialog.tsx": {
    show: () => <NameVersionDialog agentId="coder" version={{ number: 1, aliases: [] }} onClose={close} />,
  },
  "admin/channels/channel-dialog.tsx": {
    show: () => <ChannelDialog channel={null} onClose={close} />,
    choices: [radio("Slack"), radio("Email")],
    secrets: ["Token", "Bot token", "App token, for Socket Mode", "Signing secret, for events", "Password"],
  },
  "admin/channels/channel-edit.tsx": { show: () => <ChannelEdit channel={CHANNEL} onClose={close} /> },
  "admin/providers/add-provider-dialog.tsx": {
    show: () => <AddProviderDialog shadowed={null} onAdded={close} onClose={close} />,
    secrets: ["Key"],
  },
  "admin/providers/model-defaults-dialog.tsx": {
    show: () => (
      <ModelDefaultsDialog
        list={LIST}
        defaults={{ model: "lab:a", resolved: "lab:a", fallbacks: [], fixedBy: null }}
        onClose={close}
      />
    ),
  },
  "admin/providers/name-model-dialog.tsx": { show: () => <NameModelDialog provider={PROVIDER} onClose={close} /> },
  "admin/providers/price-form.tsx": {
    show: () => (
      <table>
        <tbody>
          <PriceForm provider={PROVIDER} row={{ id: "a", isOn: true }} rows={[]} onDone={close} />
        </tbody>
      </table>
    ),
  },
  "admin/providers/provider-fields.tsx": {
    show: () => <ProviderFields provider={{ ...LIST.providers[0], ...PROVIDER }} />,
    choices: [button("Enter a key"), button("Change")],
    isPage: true,
    secrets: ["Key"],
  },
  "admin/providers/rename-provider-dialog.tsx": {
    show: () => <RenameProviderDialog provider={PROVIDER} onClose={close} />,
  },
  "admin/skills/new-skill-dialog.tsx": { show: () => <NewSkillDialog known={[]} onClose={close} /> },
  "admin/skills/skill-file-changes.tsx": {
    show: () => <AddSkillFile skill={SKILL} onAdded={close} />,
    choices: [button("Add a file")],
    isPage: true,
  },
  "admin/tools/http/test-http-tool-dialog.tsx": {
    show: () => <TestHttpToolDialog tool={TOOL} onClose={close} />,
    isForgotten: true,
  },
  "admin/tools/http/http-tool-dialog.tsx": {
    show: () => <HttpToolDialog onClose={close} />,
    secrets: ["Signing secret"],
  },
  "admin/tools/http/import-openapi-dialog.tsx": {
    show: () => <ImportOpenApiDialog onClose={close} />,
    isForgotten: true,
  },
  "admin/tools/http/request-tool-dialog.tsx": {
    show: () => <RequestToolDialog onClose={close} />,
    choices: [button("Edit as JSON Schema"), button("Query, headers, secrets, body and answer")],
    secrets: ["Secret headers"],
  },
  "admin/tools/http/tool-gallery.tsx": {
    show: () => <GalleryServerDialog entry={GITHUB} onClose={close} />,
    isForgotten: true,
    secrets: ["Personal access token"],
  },
  "admin/tools/mcp/mcp-server-dialog.tsx": {
    show: () => <McpServerDialog stdioAllowed onClose={close} onSaved={close} />,
    choices: [server({ auth: "bearer" }), server({ auth: "shared" }), server({ transport: "stdio" })],
    secrets: ["Headers", "Token", "Client secret (optional)", "Environment"],
  },
  "admin/usage/budget-dialog.tsx": { show: () => <BudgetDialog budget={null} onClose={close} /> },
  "admin/users/add-key-dialog.tsx": { show: () => <AddKeyDialog scopes={["read"]} onClose={close} /> },
  "admin/users/add-user-dialog.tsx": { show: () => <AddUserDialog onClose={close} />, secrets: ["First password"] },
  "admin/users/group-dialog.tsx": { show: () => <GroupDialog group={null} onClose={close} /> },
  "admin/users/invite-dialog.tsx": { show: () => <InviteDialog onClose={close} /> },
  "admin/users/sign-in-tab.tsx": { show: () => <SignInTab />, isPage: true, secrets: ["Client secret"] },
  "admin/webhooks/webhook-dialog.tsx": {
    show: () => <WebhookDialog webhook={null} onClose={close} />,
    choices: [radio("Out: an event is sent")],
  },
  "boards/board-dialog.tsx": { show: () => <BoardDialog onClose={close} /> },
  "boards/card-dialogs.tsx": {
    show: () => (
      <>
        <CardDialog board={BOARD} card={null} onClose={close} />
        <NoteDialog boardId="b1" note={{ kind: "hand_in", card: CARD }} onClose={close} />
      </>
    ),
  },
  "projects/edit-instructions.tsx": { show: () => <EditInstructions project={PROJECT} mayEdit onClose={close} /> },
  "projects/edit-member.tsx": {
    show: () => <EditMember project={PROJECT} member={null} isSelf={false} onClose={close} />,
  },
  "projects/edit-project.tsx": { show: () => <EditProject project={null} onClose={close} /> },
  "prompts/edit-prompt-dialog.tsx": {
    show: () => <EditPromptDialog prompt={null} mayShare onDelete={close} onClose={close} />,
  },
  "schedules/heartbeats/heartbeat-dialog.tsx": {
    show: () => (
      <>
        <AddHeartbeatDialog offered={[]} taken={[]} onAdded={close} onClose={close} />
        <EditHeartbeatDialog heartbeat={HEARTBEAT} onClose={close} />
      </>
    ),
  },
  "schedules/use-schedule-editor.ts": {
    show: () => <ScheduleEditor schedule={null} subject="schedule new" start={{ prompt: "", agentId: "coder" }} />,
    isPage: true,
  },
  "trace/alerts/alert-dialog.tsx": { show: () => <NewAlertDialog query="agent=coder" onClose={close} /> },
  "trace/list/view-dialogs.tsx": { show: () => <SaveViewDialog query="agent=coder" onClose={close} /> },
  "trace/notes/note-form.tsx": {
    show: () => <NewNote runId="run_1" spanId={null} takesFocus={false} onFocused={close} />,
    isPage: true,
  },
  "trace/replay/replay-dialog.tsx": {
    show: () => <ReplayDialog runId="run_1" fromStep={1} onClose={close} />,
  },
};

const PLAN: ReplayPlan = {
  ...{ runId: "run_1", steps: 2, problem: null, message: "Hello", systemPrompt: "You help.", model: "scripted:m" },
  ...{
    models: ["scripted:m"],
    versions: [],
    hasDraft: false,
    version: 1,
    calls: [],
    costUsd: null,
    workedMs: null,
    tools: [],
    sandbox: { problem: null, files: 0, neverVersioned: 0 },
    replays: [],
  },
};

const OIDC: OidcSettings = {
  name: "Single sign-on",
  issuer: null,
  clientId: null,
  clientSecret: { set: false },
  groupClaim: "groups",
  groups: [{ group: "staff" }],
  defaultRole: "member",
  localSignIn: true,
  callbackUrl: "http://x.test/callback",
};

function show(form: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(oidcQuery.queryKey, OIDC);
  client.setQueryData(replayPlanQuery("run_1", 1).queryKey, PLAN);
  const Queries = withQueries(client);
  return render(
    <Queries>
      <ShellProvider value={SHELL}>{form}</ShellProvider>
    </Queries>,
  );
}

for (const [file, form] of Object.entries(FORMS)) testKept(file, form, show);

test("no form is left out", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  expect(filesWith("useForm({", import.meta.dirname, files)).toEqual(Object.keys(FORMS).toSorted());
});
