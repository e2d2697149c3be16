"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { TextField } from "@/components/ui/controls/text-field";
import { StateRing } from "@/components/ui/states/state-ring";
import { errorMessage } from "@/lib/client/http/api";
import { tryWebhook, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import type { OutgoingWebhook, TestWebhookReply, WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { Attempts } from "./attempts";

const SAMPLE = '{"issue": {"number": 7, "title": "The build is red"}}';

/** Shows which run a body would start; nothing is stored. */
export function TryIncoming({ id }: { id: string }) {
  const [body, setBody] = useState(SAMPLE);
  const test = useMutation({ mutationFn: () => tryWebhook(id, { body }) });
  return (
    <TryIt
      note="shows what a request would start; nothing is stored"
      form={
        <>
          <TextField label="Body" rows={6} mono value={body} onChange={setBody} />
          <Button className="self-start" onPress={() => test.mutate()} isPending={test.isPending}>
            Show the prompt
          </Button>
        </>
      }
    >
      {test.isIdle ? <Hint>The prompt that the agent would get is shown here.</Hint> : null}
      {test.error ? <Problem>{errorMessage(test.error)}</Problem> : null}
      {test.data?.direction === "in" ? <Preview reply={test.data} /> : null}
    </TryIt>
  );
}

function Preview({ reply }: { reply: Extract<TestWebhookReply, { direction: "in" }> }) {
  const { prompt, headers, findings, isBlocked, agentVersion } = reply;
  return (
    <>
      {isBlocked ? <Problem>The input guard blocks it: {findings.join(", ")}. No run would start.</Problem> : null}
      {!isBlocked && findings.length > 0 ? (
        <p className="text-xs text-muted">The input guard notes: {findings.join(", ")}.</p>
      ) : null}
      <h4 className="mt-2 text-xs text-muted">What version {agentVersion} of the agent would be told</h4>
      <pre className="mt-1 max-h-48 overflow-auto rounded-md border border-border bg-code p-2 text-xs whitespace-pre-wrap">
        {prompt}
      </pre>
      <h4 className="mt-2 text-xs text-muted">The headers of such a request</h4>
      <dl className="mt-1 text-xs">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="shrink-0 text-muted">{name}</dt>
            <dd className="min-w-0 font-mono break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A real request with test data. */
export function TryOutgoing({ webhook: { id, events } }: { webhook: OutgoingWebhook }) {
  const queryClient = useQueryClient();
  const [event, setEvent] = useState<WebhookEvent>(events[0] ?? "run.completed");
  const test = useMutation({
    mutationFn: () => tryWebhook(id, { event }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  return (
    <TryIt
      note="a real request with test data, marked as a test"
      form={
        <div className="flex items-end gap-2">
          <LazySelect
            label="Event"
            options={events.map((type) => ({ id: type, name: type }))}
            value={event}
            onChange={(chosen) => setEvent(events.find((type) => type === chosen) ?? event)}
            className="min-w-0 flex-1"
          />
          <Button variant="primary" onPress={() => test.mutate()} isPending={test.isPending}>
            <Send aria-hidden />
            Send
          </Button>
        </div>
      }
    >
      {test.isIdle ? <Hint>Send a test to see what the address answers.</Hint> : null}
      {test.error ? <Problem>{errorMessage(test.error)}</Problem> : null}
      {test.data?.direction === "out" ? <Attempts deliveryId={test.data.deliveryId} /> : null}
    </TryIt>
  );
}

function TryIt({ note, form, children }: { note: string; form: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 border-b border-border max-lg:grid-cols-1">
      <section
        aria-label="Try it"
        className="flex min-w-0 flex-col items-stretch gap-2 border-separator p-4 lg:border-r"
      >
        <h3 className="text-sm font-semibold">
          Try it <span className="ml-1 text-xs font-normal text-muted">{note}</span>
        </h3>
        {form}
      </section>
      <section aria-label="What came back" aria-live="polite" className="min-w-0 p-4">
        <h3 className="text-sm font-semibold">What came back</h3>
        {children}
      </section>
    </div>
  );
}

function Hint({ children }: { children: string }) {
  return <p className="mt-1 text-sm text-muted">{children}</p>;
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-1 flex items-center gap-2 text-sm text-fail-text">
      <StateRing status="failed" />
      <span>{children}</span>
    </p>
  );
}
