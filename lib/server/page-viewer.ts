import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { Viewer } from "@/lib/schema/user";
import { isSetUpNeeded } from "./auth/set-up";
import { findSessionViewer } from "./session";

/** The signed-in viewer of a page (server components); null for nobody. */
export async function findPageViewer(): Promise<Viewer | null> {
  return findSessionViewer(await headers());
}

/** The signed-in viewer of a page; sends everybody else to sign-in, or to set-up while no person is admin. */
export async function requirePageViewer(returnTo = "/"): Promise<Viewer> {
  const viewer = await findPageViewer();
  if (viewer) return viewer;
  if (await isSetUpNeeded()) redirect("/setup");
  redirect(`/sign-in?next=${encodeURIComponent(returnTo)}`);
}

/** The same for the pages of administrators: for everybody else who is signed in there is no such page. */
export async function requireAdminPage(returnTo: string): Promise<Viewer> {
  const viewer = await requirePageViewer(returnTo);
  if (viewer.role !== "admin") notFound();
  return viewer;
}
