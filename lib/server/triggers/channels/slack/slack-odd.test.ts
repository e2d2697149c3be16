import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "@/lib/server/triggers/channels/channel";
import {
  SLACK_BOT_TOKEN,
  SLACK_SIGNING_SECRET,
  type SlackServer,
  startSlackServer,
} from "@/lib/testing/channels/slack-server";
import { readSlackPayload } from "./slack-events";

let server: SlackServer;
let connection: Connection;
beforeAll(async () => {
  server = await startSlackServer();
  connection = {
    channelId: "ch_1",
    name: "Lab",
    credentials: { kind: "slack", token: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET },
    apiRoot: server.apiRoot,
    allowedPrivateHosts: [new URL(server.apiRoot).host],
    username: null,
    offset: null,
    hookUrl: "http://localhost/hooks/channels/ch_1",
  };
});
afterAll(() => server.close());

const ODD = [null, 7, "", "text", [], {}, [null], [[7]], true];

const EVENT = {
  type: "message",
  channel: "D1",
  channel_type: "im",
  user: "U1",
  text: "Do it",
  ts: "1.000100",
  files: [{ name: "a.txt", size: 3, url_private: "https://files.slack.com/a" }],
};
const callback = (event: unknown, more: object = {}) => ({
  type: "event_callback",
  authorizations: [{ user_id: "UBOT" }],
  event,
  ...more,
});
const read = async (payload: unknown) => (await readSlackPayload(connection, payload))[0]?.message;

describe("a field of Slack in a form that is not known", () => {
  test.each(["files", "attachments", "blocks", "thread_ts", "event_ts", "client_msg_id", "team", "metadata", "edited"])(
    "takes nothing else of the message with it: %s",
    async (field) => {
      for (const value of ODD) expect((await read(callback({ ...EVENT, [field]: value })))?.text).toBe("Do it");
    },
  );

  test("reads the words in the blocks of a message whose text is only the mention", async () => {
    const elements = [
      { type: "user", user_id: "UBOT" },
      { type: "text", text: " please investigate" },
    ];
    const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
    const mention = { ...EVENT, type: "app_mention", channel: "C1", channel_type: "channel", text: "<@UBOT>" };
    expect((await read(callback({ ...mention, blocks })))?.text).toBe("please investigate");
    expect((await read(callback({ ...mention, text: "<@UBOT> do it", blocks })))?.text).toBe("do it");
    expect((await read(callback(mention)))?.text).toBe("");
  });

  test("leaves the files of a message whose text is none", async () => {
    for (const text of ODD.filter((value) => value !== "text")) {
      expect((await read(callback({ ...EVENT, text })))?.files).toMatchObject([{ name: "a.txt" }]);
    }
  });

  test("around the event takes nothing of it", async () => {
    for (const value of ODD) {
      expect((await read(callback(EVENT, { authorizations: value, event_id: value, event_time: value })))?.text).toBe(
        "Do it",
      );
    }
    expect(await read(callback({ ...EVENT, user: "UBOT" }))).toBeUndefined();
  });

  test.each(["bot_id", "subtype"])("never makes a person's message of one that is not: %s", async (field) => {
    for (const value of [7, {}, [], true, "other"])
      expect(await read(callback({ ...EVENT, [field]: value }))).toBeUndefined();
    for (const value of [null, ""]) expect((await read(callback({ ...EVENT, [field]: value })))?.text).toBe("Do it");
  });

  test("within attachments and files leaves the other entries", async () => {
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "kept" } }];
    const attachments = [null, { is_share: true, message_blocks: [7, { message: null }, { message: { blocks } }] }];
    const files = [7, null, { name: 5, size: "x", url_private: "https://files.slack.com/a" }, { name: "no-address" }];
    const message = await read(callback({ ...EVENT, attachments, files }));
    expect(message?.cites?.text).toContain("> kept");
    expect(message?.files).toMatchObject([{ name: "file", sizeBytes: null }]);
  });

  test("in a press leaves the press", async () => {
    const press = {
      type: "block_actions",
      user: { id: "U1", name: "petra" },
      channel: { id: "D1" },
      message: { ts: "1.5" },
      actions: [{ value: "allow:abc", action_ts: "9.1" }],
    };
    for (const value of ODD.slice(0, 2)) {
      const user = { ...press.user, name: value, username: value };
      const [update] = await readSlackPayload(connection, { ...press, user, channel: { id: "D1", name: value } });
      expect(update?.press).toMatchObject({ data: "allow:abc", sender: { id: "U1", name: "U1" } });
    }
    for (const actions of ODD) expect(await readSlackPayload(connection, { ...press, actions })).toEqual([]);
  });

  test("is the whole payload, or its event: then there is nothing", async () => {
    for (const value of [...ODD, undefined, { type: "event_callback" }, { type: "view_submission" }]) {
      expect(await readSlackPayload(connection, value)).toEqual([]);
      expect(await readSlackPayload(connection, callback(value))).toEqual([]);
    }
    for (const field of ["channel", "ts", "type"]) {
      for (const value of ODD.filter((one) => typeof one !== "string")) {
        expect(await readSlackPayload(connection, callback({ ...EVENT, [field]: value }))).toEqual([]);
      }
    }
  });
});
