import { afterEach, expect, test } from "vitest";
import { rescueFocus } from "./rescue-focus";

let end = () => {};
afterEach(() => {
  end();
  document.body.innerHTML = "";
});

const nextFrames = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });

async function after(html: string, remove: string): Promise<Element | null> {
  document.body.innerHTML = html;
  end = rescueFocus();
  document.querySelector<HTMLElement>("#focused")?.focus();
  expect(document.activeElement?.id).toBe("focused");
  document.querySelector(remove)?.remove();
  await nextFrames();
  return document.activeElement;
}

test("a row that goes leaves the focus on the row that takes its place", async () => {
  const rows = `<ul><li><a href="#a" id="a">a</a></li><li id="row"><a href="#b" id="focused">b</a></li><li><a href="#c" id="c">c</a></li></ul>`;
  expect((await after(rows, "#row"))?.id).toBe("c");
});

test("the last row that goes leaves it on the one before", async () => {
  const rows = `<ul><li><a href="#a" id="a">a</a></li><li id="row"><a href="#b" id="focused">b</a></li></ul>`;
  expect((await after(rows, "#row"))?.id).toBe("a");
});

test("a button at the composer leaves it in the composer", async () => {
  const page = `<main><div><textarea data-composer id="field"></textarea><p><button>Attach</button><button id="focused">Stop</button></p></div></main>`;
  expect((await after(page, "#focused"))?.id).toBe("field");
});

test("a message that is no longer mounted leaves it on the transcript", async () => {
  const page = `<section tabindex="0" id="transcript"><div><div id="row"><button id="focused">Copy</button></div></div></section>`;
  expect((await after(page, "#row"))?.id).toBe("transcript");
});

test("a focus that has been moved since stays", async () => {
  document.body.innerHTML = `<button id="focused">a</button><button id="other">b</button>`;
  end = rescueFocus();
  document.querySelector<HTMLElement>("#focused")?.focus();
  document.querySelector("#focused")?.remove();
  document.querySelector<HTMLElement>("#other")?.focus();
  await nextFrames();
  expect(document.activeElement?.id).toBe("other");
});

test("a dialog that closes leaves the focus to itself", async () => {
  const page = `<main><textarea data-composer></textarea></main><div id="dialog"><button id="focused">Close</button></div>`;
  expect(await after(page, "#dialog")).toBe(document.body);
});

test("where a menu was opened from a row that it deletes, the next row gets the focus", async () => {
  document.body.innerHTML = `<main><ul><li id="row"><button id="opener">…</button></li><li><button id="next">…</button></li></ul></main>
    <div id="menu"><button id="item">Delete</button></div>`;
  end = rescueFocus();
  for (const id of ["opener", "item"]) document.getElementById(id)?.focus();
  for (const id of ["row", "menu"]) document.getElementById(id)?.remove();
  await nextFrames();
  expect(document.activeElement?.id).toBe("next");
});
