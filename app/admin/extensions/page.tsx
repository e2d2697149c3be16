import type { Metadata } from "next";
import { ExtensionsPage } from "@/components/admin/extensions/extensions-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Extensions" };

export default async function Page() {
  await requireAdminPage("/admin/extensions");
  return <ExtensionsPage />;
}
