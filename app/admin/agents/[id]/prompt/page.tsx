import type { Metadata } from "next";
import { PromptPreviewPage } from "@/components/admin/agents/preview/prompt-preview-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Prompt preview" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const services = pageServices();
  const { id } = await params;
  await requireAdminPage(services, `/admin/agents/${encodeURIComponent(id)}/prompt`);
  return <PromptPreviewPage key={id} agentId={id} />;
}
