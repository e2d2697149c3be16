import { redirect } from "next/navigation";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export default async function Page() {
  await requireAdminPage("/admin");
  redirect("/admin/agents");
}
