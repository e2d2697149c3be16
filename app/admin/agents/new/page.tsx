import type { Metadata } from "next";
import { NewAgentPage } from "@/components/admin/agents/new/new-agent-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "New agent" };

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/agents/new");
  return <NewAgentPage />;
}
