import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { MarkdownBody } from "./markdown-body";

afterEach(cleanup);

describe("markdown of a model", () => {
  it("never becomes HTML elements", () => {
    const { container } = render(
      <MarkdownBody text={'<script>x()</script><img src="x" onerror="x()"><b>bold</b>\n\nfine'} />,
    );
    expect(container.querySelector("script, img, b")).toBeNull();
    expect(container.textContent).toContain("fine");
  });

  it("loads no picture, not even one with a caption", () => {
    const { container } = render(
      <MarkdownBody text="![secret](https://evil.example/?q=1) and ![x](data:image/png;base64,AA)" />,
    );
    expect(container.querySelector("img")).toBeNull();
  });

  it("drops links that run code and opens the others outside", () => {
    render(<MarkdownBody text="[bad](javascript:alert(1)) [data](data:text/html,x) [good](https://example.com/a)" />);
    const links = screen.getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://example.com/a"]);
    expect(links[0]?.getAttribute("rel")).toContain("noopener");
  });

  it("draws a fenced block with its language and a word in a line as a word", () => {
    const { container } = render(<MarkdownBody text={"Use `npm` so:\n\n```ts\nconst a = 1;\n```"} />);
    expect(screen.getByText("ts")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Copy code" })).toBeTruthy();
    expect(container.querySelector("p code")?.textContent).toBe("npm");
  });

  it("closes what is still being written", () => {
    const { container } = render(<MarkdownBody text="This is **bold tex" isStreaming />);
    expect(container.querySelector("strong")?.textContent).toBe("bold tex");
  });
});
