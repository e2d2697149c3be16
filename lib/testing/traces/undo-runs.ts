import { expect } from "vitest";
import { POST as undoRoute } from "@/app/api/runs/[runId]/undo/route";
import { POST as takeBackRoute } from "@/app/api/runs/[runId]/undo/take-back/route";
import { PUT as putFile } from "@/app/api/threads/[threadId]/files/route";
import type { UndoPreview } from "@/lib/schema/traces/undo";
import type { Role } from "@/lib/schema/users/user";
import { flushSpans } from "@/lib/server/traces/recorder";
import type { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

type Chat = ReturnType<typeof approvalServer>;

export const writeCall = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

/** Runs of an agent `worker`, and what undoes them. */
export function undoing({ server, say }: Pick<Chat, "server" | "say">) {
  const post = (runId: string, body: object, as: Role = "member"): Promise<Response> =>
    server().call(undoRoute, { as, method: "POST", params: { runId }, body });
  const preview = async (runId: string, as: Role = "member"): Promise<UndoPreview> => {
    const reply = await post(runId, { preview: true }, as);
    expect(reply.status).toBe(200);
    return reply.json();
  };
  return {
    post,
    preview,
    undo: async (runId: string, as: Role = "member") => post(runId, { token: (await preview(runId, as)).token }, as),
    takeBack: (runId: string, as: Role = "member"): Promise<Response> =>
      server().call(takeBackRoute, { as, method: "POST", params: { runId } }),
    /** A finished run whose events are gone. */
    async run(words: string, thread: string, agent = "worker"): Promise<string> {
      const { run_id: runId } = await say(words, thread, agent);
      await flushSpans();
      await server().database.runEvent.deleteMany();
      return runId;
    },
    /** The files of a thread, or those of its project: path → text. */
    async filesOf(clientId: string): Promise<Record<string, string>> {
      const { database } = server();
      const thread = await database.thread.findFirstOrThrow({ where: { clientId } });
      const { id: threadId, projectId } = thread;
      const workspace = projectId === null ? { threadId } : { projectId };
      const rows = await database.workspaceFile.findMany({ where: { workspace }, orderBy: { path: "asc" } });
      const texts: Record<string, string> = {};
      for (const { path, blobHash } of rows) {
        const blob = await database.blob.findUniqueOrThrow({ where: { hash: blobHash } });
        texts[path] = new TextDecoder().decode(blob.content);
      }
      return texts;
    },
    async edit(clientId: string, path: string, content: string): Promise<void> {
      const { id: threadId } = await server().database.thread.findFirstOrThrow({ where: { clientId } });
      const body = { path, content };
      const reply = await server().call(putFile, { as: "member", method: "PUT", params: { threadId }, body });
      expect(reply.status).toBeLessThan(300);
    },
  };
}

/** The status, and what the person reads. */
export async function refusal(reply: Response): Promise<[number, string | undefined]> {
  return [reply.status, (await reply.json()).error?.message];
}
