import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as list } from "@/app/api/threads/route";
import { fold } from "@/lib/schema/fold";
import type { ThreadListItem } from "@/lib/schema/threads/thread";
import { createAgent } from "@/lib/server/agents/publish-version";
import { inChunks } from "@/lib/server/platform/db/in-chunks";
import { countUnfolded, foldTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import { countPending, indexPending } from "@/lib/server/platform/db/queries/search/text-index";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

let made = 0;
/** A thread with these messages, newer than the previous one. */
async function thread(title: string | null, texts: readonly string[], ownerId = "member"): Promise<string> {
  const id = `th_${++made}`;
  const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, made));
  await server.database.thread.create({ data: { id, clientId: id, ownerId, agentId: "writer", title, updatedAt } });
  for (const [index, text] of texts.entries()) {
    const parts = JSON.stringify([{ type: "text", text }]);
    const data = {
      id: `${id}_m${index}`,
      threadId: id,
      runId: "run_x",
      position: index + 1,
      role: "user",
      parts,
      text,
    };
    await server.database.transcriptMessage.create({ data });
  }
  if (isIndexed) await indexAll();
  return id;
}
let isIndexed = false;
const indexAll = () => inChunks((limit) => indexPending(server.database, limit), { rest: async () => true });
async function search(q: string, more = ""): Promise<{ threads: ThreadListItem[]; nextCursor: string | null }> {
  const reply = await server.call(list, { as: "member", path: `/?q=${encodeURIComponent(q)}${more}` });
  expect(reply.status).toBe(200);
  return reply.json();
}
const ids = async (q: string) => (await search(q)).threads.map(({ id }) => id);

/** Indexed texts are found the same way as texts not yet indexed and texts read because too many are not indexed. */
describe.each(["in the index", "not yet in the index", "beside an index that lacks many"])("a text %s", (how) => {
  beforeEach(async () => {
    isIndexed = how === "in the index";
    if (how === "beside an index that lacks many") await lackMany();
  });

  test.each([
    ["a word", "Where do narwhals live?", "narwhals"],
    ["a part of a word, in other letters", "Where do narwhals live?", "ARWHAL"],
    ["two letters", "Go is fine", "Go"],
    ["one letter", "x", "x"],
    ["two Chinese characters", "我们明天去北京看长城", "北京"],
    ["three Japanese characters", "東京タワーへ行きます", "タワー"],
    ["one Korean syllable", "안녕하세요", "녕"],
    ["characters with a meaning of their own", `a 100% "quoted" (OR) it's \\back_slash* ^:`, `"quoted" (OR) it's`],
    ["a percent sign", "it is 100% sure", "100%"],
    ["an underscore and a backslash", "a \\back_slash", "\\back_sl"],
    ["an emoji", "Well done 🎉🎉🎉 everybody", "🎉🎉🎉"],
    ["words over a line break", "of whales\nand their songs", "whales and"],
    ["words in another order", "songs of the whales", "whales songs"],
    ["the end of a very long text", `${"lorem ipsum ".repeat(20_000)} narwhal`, "narwhal"],
  ])("finds %s", async (_, text, q) => {
    const id = await thread(null, ["Something else.", text]);
    await thread(null, ["Nothing of it."]);
    const { threads } = await search(q);
    expect(threads.map((found) => found.id)).toEqual([id]);
    expect(threads[0]?.snippet?.messageId).toBe(`${id}_m1`);
  });

  test.each([
    ["Russian", "План: Отпуск в июле", ["отпуск", "ОТПУСК", "план", "тпУск"]],
    ["Russian with ё", "Ещё не всё", ["еще", "ВСЕ", "НЕ ВСЁ"]],
    ["Greek", "Ο Οδυσσεύς ταξιδεύει", ["οδυσσευς", "ΟΔΥΣΣΕΎΣ", "ταξιδευει"]],
    ["German", "Die Straße ist größer", ["STRASSE", "straße", "STRAẞE", "grosser"]],
    ["Turkish", "İstanbul'da ılık hava", ["istanbul", "İSTANBUL", "ILIK", "ilik"]],
    ["Vietnamese", "Đường phố Hà Nội", ["duong", "ĐƯỜNG PHỐ", "ha noi", "hà nội".normalize("NFD")]],
    ["Polish", "Zażółć gęślą jaźń w Łodzi", ["zazolc", "JAŹŃ", "lodzi", "gesla jazn"]],
    ["Arabic with vowels", "قال مُحَمَّد اليوم", ["محمد", "مُحَمَّد"]],
    ["full width", "ＡＢＣ ﾀﾜｰ", ["abc", "タワー", "ＡＢＣ"]],
    ["an accent written apart", "le cafe\u0301 noir", ["café", "CAFE", "café noir"]],
  ])("finds %s in any case, with or without accents, in a message and in a title", async (_, text, queries) => {
    const said = await thread(null, ["Something else.", text]);
    const titled = await thread(text, []);
    await thread("Nothing of it", ["Nothing of it."]);
    for (const q of queries) {
      const { threads, ...more } = await search(q);
      expect([q, threads.map(({ id }) => id)]).toEqual([q, [titled, said]]);
      expect(more).toEqual({ nextCursor: null });
      const { before = "", match = "", after = "" } = threads[1]?.snippet ?? {};
      expect(text).toContain(`${match}${after}`);
      expect(fold(match)).toBe(fold(q));
      expect(text).toContain(before);
    }
  });

  test("keeps й apart from и, and one kana from another", async () => {
    await thread(null, ["мой か"]);
    expect([await ids("мои"), await ids("が")]).toEqual([[], []]);
  });

  test.each(['"deep sea"', "“deep  sea”", "«DEEP SEA»", 'whales "deep sea"'])(
    "takes %s for words in a row",
    async (q) => {
      const id = await thread(null, ["whales of the deep sea"]);
      await thread(null, ["whales of the sea, however deep"]);
      expect(await ids(q)).toEqual([id]);
    },
  );

  test.each(['5" nails', 'the 5"', '"'])("takes the quote of %j for itself", async (q) => {
    const id = await thread(null, ['the 5" nails']);
    await thread(null, ["the 5 nails"]);
    expect(await ids(q)).toEqual([id]);
  });

  test.each(["nar_hals", "n%s", "narwhals OR nothing", "narwhals*", '"', "NEAR(narwhals)"])(
    "does not take %j for a pattern",
    async (q) => {
      await thread(null, ["narwhals nothing"]);
      expect(await ids(q)).toEqual([]);
    },
  );

  test("wants all words in one message, or in the title", async () => {
    await thread("blue", ["a whale", "some songs"]);
    const titled = await thread("Songs of a whale", []);
    expect(await ids("whale songs")).toEqual([titled]);
  });

  test("shows titles first, then the words in a row, then the newest", async () => {
    const title = await thread("About blue whales", ["empty"]);
    const row = await thread(null, ["See the blue whales there"]);
    const apart = await thread(null, ["whales are blue"]);
    const newer = await thread(null, ["whales may be blue"]);
    expect(await ids("blue whales")).toEqual([title, row, newer, apart]);
    const first = await search("blue whales", "&limit=2");
    expect(first.threads.map(({ id }) => id)).toEqual([title, row]);
    const second = await search("blue whales", `&limit=2&cursor=${first.nextCursor}`);
    expect(second.threads.map(({ id }) => id)).toEqual([newer, apart]);
  });

  test("shows the message with the words in a row rather than a newer one", async () => {
    const id = await thread(null, ["See the blue whales there", "whales are blue"]);
    const [found] = (await search("blue whales")).threads;
    expect(found?.snippet).toMatchObject({ match: "blue whales", messageId: `${id}_m0` });
  });

  test("finds nothing of other people, nor what was deleted", async () => {
    await thread("narwhal", ["narwhal"], "admin");
    const id = await thread(null, ["narwhal"]);
    expect(await ids("narwhal")).toEqual([id]);
    await server.database.transcriptMessage.deleteMany({ where: { threadId: id } });
    expect(await ids("narwhal")).toEqual([]);
  });

  test("finds a text as it is after a change", async () => {
    const id = await thread(null, ["narwhal"]);
    await server.database.transcriptMessage.updateMany({ where: { threadId: id }, data: { text: "walrus" } });
    expect([await ids("narwhal"), await ids("walrus")]).toEqual([[], [id]]);
  });

  test("finds nothing of a text in other letters after a change", async () => {
    const id = await thread("Отпуск", ["Отпуск"]);
    expect(await ids("отпуск")).toEqual([id]);
    await server.database.thread.update({ where: { id }, data: { title: "Работа" } });
    await server.database.transcriptMessage.updateMany({ where: { threadId: id }, data: { text: "Работа" } });
    expect([await ids("отпуск"), await ids("работа")]).toEqual([[], [id]]);
    await server.database.transcriptMessage.updateMany({ where: { threadId: id }, data: { text: "[erased]" } });
    const { folded } = await server.database.transcriptMessage.findFirstOrThrow({ where: { threadId: id } });
    expect(folded).toBeNull();
  });
});

/** Messages without an owner that are not indexed, more than a search reads. */
async function lackMany(): Promise<void> {
  const ids = Array.from({ length: 3_000 }, (_, index) => ({ id: `gone_${index}` }));
  const rows = server.database.dialect.rows("w", { id: "text" }, "$1");
  await server.database.raw(`insert into "search_pending" select w."id" from ${rows}`, [JSON.stringify(ids)]);
}

test("the index gets the messages that it lacks, some at a time, and each is found throughout", async () => {
  isIndexed = false;
  const all = [];
  for (let index = 0; index < 25; index++) all.push(await thread(null, [`old narwhal number ${index}`]));
  expect(await countPending(server.database, 100)).toBe(25);
  await inChunks((limit) => indexPending(server.database, limit), { rest: async () => false }, 10);
  expect(await countPending(server.database, 100)).toBe(15);
  expect((await ids("narwhal")).toSorted()).toEqual(all.toSorted());
  await indexAll();
  expect(await countPending(server.database, 100)).toBe(0);
  expect((await ids("narwhal")).toSorted()).toEqual(all.toSorted());
  const [{ count } = { count: 0 }] = await server.database.raw<{ count: number }>(
    `select count(*) as "count" from "search_message"`,
  );
  expect(Number(count)).toBe(25);
});

test("older texts are folded some at a time, also after a kill, and a search says how many remain", async () => {
  isIndexed = false;
  const all: string[] = [];
  for (let index = 0; index < 70; index++) all.push(await thread(null, [`Старый Отпуск ${100 + index}`]));
  await leaveAsUpdated();
  const found = async () => {
    const { threads, unfolded } = (await (
      await server.call(list, { as: "member", path: `/?q=${encodeURIComponent("отпуск")}&limit=100` })
    ).json()) as { threads: unknown[]; unfolded?: number };
    return { found: threads.length, unfolded };
  };
  const killed = { rest: async () => false };
  await inChunks((limit) => indexPending(server.database, limit), killed, 10);
  expect(await countUnfolded(server.database, 100)).toBe(60);
  expect(await countPending(server.database, 100)).toBe(0);
  expect(await found()).toMatchObject({ unfolded: 10 });
  // As it is written, each is found at any time.
  for (const index of [0, 35, 69]) expect(await ids(`Старый Отпуск ${100 + index}`)).toEqual([all[index]]);
  await indexAll();
  expect(await countUnfolded(server.database, 100)).toBe(0);
  expect(await countPending(server.database, 100)).toBe(0);
  expect(await found()).toEqual({ found: 70, unfolded: undefined });
});

/** As an update of the server leaves messages: in the index with their letters as they are written. */
async function leaveAsUpdated(): Promise<void> {
  const { dialect } = server.database;
  const statements =
    dialect.provider === "postgresql"
      ? [`insert into "search_message" select "id", search_grams("text") from "transcript_message"`]
      : [
          `insert into "search_message" ("messageId") select "id" from "transcript_message"`,
          `insert into "search_text" ("rowid", "text") select s."id", m."text" from "search_message" s
             join "transcript_message" m on m."id" = s."messageId"`,
        ];
  const all = [...statements, `delete from "search_pending"`, `update "search_unfolded" set "token" = 0`];
  for (const sql of all) await server.database.raw(sql);
}

test.each(["Работа", "[erased]"])("a text that changes to %s while it is folded is folded again", async (text) => {
  const id = await thread(null, ["Отпуск"]);
  const { database } = server;
  const changing = new Proxy(database, {
    get(target, name) {
      if (name !== "runAll") return Reflect.get(target, name);
      return async (...given: Parameters<typeof database.runAll>) => {
        await target.transcriptMessage.updateMany({ where: { threadId: id }, data: { text } });
        return target.runAll(...given);
      };
    },
  });
  await foldTexts(changing, 10);
  expect([await ids("отпуск"), await ids(text.toUpperCase())]).toEqual([[], [id]]);
  await foldTexts(database, 10);
  expect(await countUnfolded(database, 10)).toBe(0);
  const { folded } = await database.transcriptMessage.findFirstOrThrow({ where: { threadId: id } });
  expect(folded).not.toBe("отпуск");
});
