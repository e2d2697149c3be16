import type { Metadata } from "next";
import { MemoryPage } from "@/components/admin/memory/memory-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Memory" };

export default async function Page() {
  const viewer = await requireAdminPage("/admin/memory");
  return <MemoryPage viewer={{ id: viewer.id, name: viewer.name }} />;
}
