import { act, cleanup } from "@testing-library/react";
import { useRef } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { useEarlyTyping } from "./use-early-typing";

afterEach(cleanup);

it("a field that comes alive with nothing typed in it is rendered once", async () => {
  let renders = 0;
  function Field() {
    const field = useRef<HTMLInputElement>(null);
    useEarlyTyping({ field, value: "", onChange: undefined });
    renders += 1;
    return <input ref={field} />;
  }
  const page = document.createElement("div");
  page.innerHTML = renderToString(<Field />);
  document.body.append(page);
  renders = 0;
  const root = await act(async () => hydrateRoot(page, <Field />));
  expect(renders).toBe(1);
  await act(async () => root.unmount());
  page.remove();
});
