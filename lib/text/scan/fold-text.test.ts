import { expect, test } from "vitest";
import { foldText } from "./fold-text";

test.each(["\ufdfa", "\ufdfb", "\u3316", "\u33af", "\ufb03"])("%s makes a text at most six times as long", (sign) => {
  const folded = foldText(sign.repeat(1_000));
  for (const text of Object.values(folded)) expect(text.length).toBeLessThanOrEqual(6_000);
});
