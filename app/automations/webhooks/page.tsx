import type { Metadata } from "next";
import { WebhooksPage } from "@/components/admin/webhooks/webhooks-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
  await requireAdminPage(processServices(), "/automations/webhooks");
  return <WebhooksPage />;
}
