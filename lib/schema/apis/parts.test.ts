import { expect, it } from "vitest";
import { PartedContent } from "./parts";

const address = "data:image/png;base64,AAAA";

it.each([
  ["an address alone", { type: "image_url", image_url: address }],
  ["an address in an object", { type: "image_url", image_url: { url: address, detail: "auto" } }],
  ["the newer API", { type: "input_image", image_url: address, file_id: null }],
  ["Anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
  ["Anthropic, with an address", { type: "image", source: { type: "url", url: address } }],
  ["the AI SDK", { type: "image", image: "AAAA", mediaType: "image/png" }],
  ["the AI SDK, with an address", { type: "image", image: address }],
  ["MCP", { type: "image", data: "AAAA", mimeType: "image/png" }],
])("a picture is taken in the form of %s", (_, part) => {
  expect(PartedContent.parse([{ type: "text", text: "See" }, part])).toEqual({ text: "See", pictures: [address] });
});

it("a picture without data is refused by its type", () => {
  const { error } = PartedContent.safeParse([{ type: "image", file: 4 }]);
  expect(JSON.stringify(error?.issues)).toContain('A part of type \\"image\\" can\'t be sent here');
});
