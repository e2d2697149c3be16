import type { Metadata } from "next";
import { AgentEditorPage } from "@/components/admin/agents/agent-editor-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Agent" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const services = pageServices();
  const { id } = await params;
  await requireAdminPage(services, `/admin/agents/${encodeURIComponent(id)}`);
  return <AgentEditorPage key={id} agentId={id} />;
}
