import { afterEach, expect, it } from "vitest";
import { pressContinue, pressRetryOrRegenerate } from "./press-message-key";

afterEach(() => document.body.replaceChildren());

const button = (id: string, attributes: string) => `<button id="${id}" ${attributes}></button>`;
const regenerate = (id: string) => button(id, 'aria-label="Regenerate"');
const EARLIER = `<article id="earlier" aria-label="Reply" tabindex="-1">${regenerate("earlier-again")}</article>`;
const CARD = `<article id="card" tabindex="-1">${button("retry", 'data-next-step="retry"')}${button("continue", 'data-next-step="continue"')}</article>`;

/** What each of the two functions presses, by id. */
function page(lastReply: string) {
  document.body.innerHTML = `${EARLIER}<article id="last" aria-label="Reply" tabindex="-1">${lastReply}${regenerate("last-again")}</article>`;
  const pressed: string[] = [];
  document.body.addEventListener("click", ({ target }) => pressed.push((target as Element).id));
  return {
    focus: (id: string) => document.getElementById(id)?.focus(),
    pressedBy: (press: () => void) => {
      pressed.length = 0;
      press();
      return pressed.join();
    },
  };
}

it("retries or continues the run that ended unfinished", () => {
  const { pressedBy } = page(CARD);
  expect(pressedBy(pressRetryOrRegenerate)).toBe("retry");
  expect(pressedBy(pressContinue)).toBe("continue");
});

it("regenerates the reply that has the focus, also beside a run that can be retried", () => {
  const { focus, pressedBy } = page(CARD);
  focus("earlier");
  expect(pressedBy(pressRetryOrRegenerate)).toBe("earlier-again");
  focus("last");
  expect(pressedBy(pressRetryOrRegenerate)).toBe("last-again");
});

it("retries where the focus is on the card that offers it", () => {
  const { focus, pressedBy } = page(CARD);
  focus("card");
  expect(pressedBy(pressRetryOrRegenerate)).toBe("retry");
  focus("continue");
  expect(pressedBy(pressRetryOrRegenerate)).toBe("retry");
});

it("regenerates the last reply where nothing can be retried, and continues nothing", () => {
  const { pressedBy } = page("");
  expect(pressedBy(pressRetryOrRegenerate)).toBe("last-again");
  expect(pressedBy(pressContinue)).toBe("");
});
