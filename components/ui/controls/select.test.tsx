import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Select } from "./select";

afterEach(cleanup);

const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index}`, name: `Modèle ${index}` }));

test("a long list is searched without case and accents, and its choice is taken", async () => {
  const onChange = vi.fn();
  render(<Select label="Model" options={options(40)} value="m0" onChange={onChange} startsOpen />);
  fireEvent.change(await screen.findByRole("searchbox", { name: "Find: Model" }), { target: { value: "MODELE 39" } });
  await vi.waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
  fireEvent.click(screen.getByRole("option", { name: "Modèle 39" }));
  expect(onChange).toHaveBeenCalledWith("m39");
});

test("a search without a match says so", async () => {
  render(<Select label="Model" options={options(40)} value="m0" onChange={vi.fn()} startsOpen />);
  fireEvent.change(await screen.findByRole("searchbox"), { target: { value: "zzz" } });
  expect(await screen.findByText("Nothing found")).toBeTruthy();
});

test("a short list has no search", async () => {
  render(<Select label="Model" options={options(5)} value="m0" onChange={vi.fn()} startsOpen />);
  expect(await screen.findAllByRole("option")).toHaveLength(5);
  expect(screen.queryByRole("searchbox")).toBeNull();
});

test("a list that is still loading opens at once, says so, and fills up", async () => {
  const props = { label: "Person", value: null, onChange: vi.fn() };
  const page = render(<Select {...props} options={undefined} />);
  fireEvent.click(screen.getByRole("button"));
  expect(await screen.findByText("Loading…")).toBeTruthy();
  page.rerender(<Select {...props} options={options(2)} />);
  expect(await screen.findAllByRole("option")).toHaveLength(2);
});

test("a list without an entry opens and says so", async () => {
  render(<Select label="Group" options={[]} value={null} onChange={vi.fn()} />);
  fireEvent.click(screen.getByRole("button"));
  expect(await screen.findByText("Nothing to choose from yet")).toBeTruthy();
});
