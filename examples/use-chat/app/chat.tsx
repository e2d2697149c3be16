"use client";

import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import type { FormEvent } from "react";
import type { AgentMessage } from "../agent-message";
import { Part } from "./part";

const transport = new DefaultChatTransport<AgentMessage>({ api: "/api/chat" });

export function Chat({ id, stored }: { id: string; stored: AgentMessage[] }) {
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    id,
    messages: stored,
    transport,
    // A reply that is being written, or that waits for an approval, is picked up when the page is loaded.
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = status === "submitted" || status === "streaming";

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = new FormData(form).get("text");
    const pictures = form.querySelector<HTMLInputElement>("input[type=file]")?.files;
    if (typeof text !== "string" || text.trim() === "") return;
    const sent = sendMessage({ text, files: pictures?.length ? pictures : undefined });
    form.reset();
    await sent;
  }

  return (
    <main>
      <h1>A chat with useChat</h1>
      {messages.map((message) => (
        <article key={message.id} aria-label={message.role === "user" ? "You" : "Agent"}>
          {message.parts.map((part, index) => (
            <Part key={keyOf(message, index)} part={part} answer={addToolApprovalResponse} />
          ))}
        </article>
      ))}
      {error !== undefined && <p role="alert">{error.message}</p>}
      <form onSubmit={send}>
        <input name="text" aria-label="Message" placeholder="Write to the agent" autoComplete="off" />
        <input type="file" accept="image/*" aria-label="Pictures" multiple />
        <button type="submit" disabled={isBusy}>
          Send
        </button>
        <output aria-label="Status">{status}</output>
      </form>
    </main>
  );
}

/** Parts are only ever appended, so the place of one is its identity. */
function keyOf({ id }: AgentMessage, index: number): string {
  return `${id} ${index}`;
}
