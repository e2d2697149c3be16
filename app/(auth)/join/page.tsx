import type { Metadata } from "next";
import { JoinForm } from "@/components/auth/join-form";

export const metadata: Metadata = { title: "Your account" };

export default function Page() {
  return <JoinForm />;
}
