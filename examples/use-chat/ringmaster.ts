import type { AgentMessage } from "./agent-message";

const { RINGMASTER_URL = "http://localhost:3000", RINGMASTER_AGENT = "default", RINGMASTER_API_KEY } = process.env;

/** A call to the agent. The key stays on this server; the browser only ever talks to our own routes. */
export function callAgent(path: string, init?: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${RINGMASTER_API_KEY}`, "content-type": "application/json" };
  return fetch(`${RINGMASTER_URL}/agents/${RINGMASTER_AGENT}${path}`, { ...init, headers });
}

interface ThreadState {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What was said in this chat; a reply that is still being written comes with the stream that the page resumes. */
export async function loadMessages(chatId: string): Promise<AgentMessage[]> {
  const reply = await callAgent(`/threads/${encodeURIComponent(chatId)}`, { cache: "no-store" });
  if (reply.status === 404) return [];
  if (!reply.ok) throw new Error(`Ringmaster answered ${reply.status}: ${await reply.text()}`);
  const { messages }: ThreadState = await reply.json();
  return messages.flatMap(({ role, content }, index) =>
    (role === "user" || role === "assistant") && content !== ""
      ? [{ id: `stored-${index}`, role, parts: [{ type: "text", text: content }] }]
      : [],
  );
}
