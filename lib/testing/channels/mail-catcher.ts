import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface MailCatcher {
  readonly port: number;
  /** The mails submitted, in order. */
  readonly mails: Email[];
  close(): Promise<void>;
}

/** A mail server that accepts mail from clients that authenticate with `password`, and stores it. */
export async function startMailCatcher(password: string): Promise<MailCatcher> {
  const mails: Email[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username ?? "" }) : done(new Error("Wrong password")),
    async onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mails.push(await PostalMime.parse(Buffer.concat(chunks)));
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
