import { redirect } from "next/navigation";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export default async function Page() {
  const viewer = await requirePageViewer("/admin");
  redirect(viewer.role === "admin" ? "/admin/agents" : "/admin/keys");
}
