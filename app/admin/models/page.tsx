import type { Metadata } from "next";
import { ProvidersPage } from "@/components/admin/providers/providers-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Models" };

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/models");
  return <ProvidersPage />;
}
