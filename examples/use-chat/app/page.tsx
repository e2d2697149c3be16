import { redirect } from "next/navigation";
import { loadMessages } from "../ringmaster";
import { Chat } from "./chat";

export default async function Page({ searchParams }: { searchParams: Promise<{ chat?: string | string[] }> }) {
  const { chat: id } = await searchParams;
  if (typeof id !== "string") redirect(`/?chat=${crypto.randomUUID()}`);
  return <Chat key={id} id={id} stored={await loadMessages(id)} />;
}
