import type { Metadata } from "next";
import { NewThreadView } from "@/components/chat/new-thread-view";

export const metadata: Metadata = { title: "New thread" };

export default function StartPage() {
  return <NewThreadView />;
}
