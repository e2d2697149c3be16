import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** The receivers of messages. */
export interface Receivers {
  readonly webhookUrl: string;
  readonly mailPort: number;
  /** The deliveries that arrived by webhook, each with its count. */
  readonly posted: ReadonlyMap<string, number>;
  /** Per thread that was written about: plain mails, and those marked "(again)". */
  readonly mails: ReadonlyMap<string, { readonly plain: number; readonly again: number }>;
  close(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const posted = new Map<string, number>();
  const mails = new Map<string, { plain: number; again: number }>();
  const web = createServer((request, response) => {
    request.resume().once("end", () => {
      const id = String(request.headers["webhook-id"]);
      posted.set(id, (posted.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "");
        const threadId = /\/threads\/(\w+)/u.exec(text)?.[1] ?? "";
        const counts = mails.get(threadId) ?? { plain: 0, again: 0 };
        counts[/^Subject: .*\(again\)/mu.test(text) ? "again" : "plain"] += 1;
        mails.set(threadId, counts);
        callback();
      });
    },
  });
  // A process killed in the middle of a mail leaves a broken connection.
  mail.on("error", () => undefined);
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => mail.listen(0, "127.0.0.1", resolve));
  return {
    webhookUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    mailPort: (mail.server.address() as AddressInfo).port,
    posted,
    mails,
    close() {
      web.close();
      web.closeAllConnections();
      mail.close();
    },
  };
}
