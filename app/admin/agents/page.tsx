import type { Metadata } from "next";
import { AgentsPage } from "@/components/admin/agents/list/agents-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Agents" };

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/agents");
  return <AgentsPage />;
}
