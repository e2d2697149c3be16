"use client";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { fieldState } from "@/lib/client/forms/problems";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import type { WebSearchBody } from "@/lib/schema/settings/web-search";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ baseUrl: z.string(), removed: z.array(z.enum(["brave", "tavily"])) });

const KEYED = [
  { id: "brave", name: "Brave" },
  { id: "tavily", name: "Tavily" },
] as const;
type Keyed = (typeof KEYED)[number]["id"];
const NO_KEYS: Readonly<Record<Keyed, string>> = { brave: "", tavily: "" };

/** The search service of `web_search`. */
export function SearchSection({ section, settings: { webSearch, fixed } }: SectionProps) {
  // Never kept by the browser.
  const [keys, setKeys] = useState(NO_KEYS);
  const typed = KEYED.filter(({ id }) => keys[id].trim() !== "");
  const variable = fixed["webSearch.searxng"];
  const form = useSettingsForm({
    name: "search",
    schema: Values,
    current: { baseUrl: webSearch.searxng?.baseUrl ?? "", removed: [] as Keyed[] },
    read: ({ baseUrl, removed }) => {
      const address = baseUrl.trim();
      const body: WebSearchBody =
        variable === undefined ? { searxng: address === "" ? null : { baseUrl: address } } : {};
      for (const id of removed) body[id] = null;
      for (const { id } of typed) body[id] = { apiKey: keys[id].trim() };
      return { body: { webSearch: body } };
    },
    hasMore: typed.length > 0,
    onSaved: () => setKeys(NO_KEYS),
  });
  const { values, set, problems } = form;
  const discard = () => {
    setKeys(NO_KEYS);
    form.discard();
  };
  return (
    <SettingsFrame section={section} form={{ ...form, changes: form.changes + typed.length, discard }}>
      <SectionBody intro="Agents that name web_search in their tools can search once one of these is set. An agent asks the first that is set, or the one that its web.search names.">
        <TextField
          label="SearXNG"
          value={variable === undefined ? values.baseUrl : ""}
          onChange={(baseUrl) => set({ baseUrl })}
          isDisabled={variable !== undefined}
          placeholder={variable === undefined ? "https://searx.example.org" : ""}
          description={
            variable === undefined
              ? "The address of your own. Its settings must allow the format json."
              : `${variable} decides it. Remove the variable and restart to change it here.`
          }
          {...fieldState(problems.get("webSearch.searxng.baseUrl"))}
        />
        {KEYED.map(({ id, name }) => {
          const isSet = webSearch[id] !== null && !values.removed.includes(id);
          return (
            <div key={id} className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <TextField
                  label={`${name} key`}
                  type="password"
                  autoComplete="new-password"
                  value={keys[id]}
                  onChange={(key) => setKeys({ ...keys, [id]: key })}
                  placeholder={isSet ? "set; type to replace it" : ""}
                  description="Stored encrypted, and never shown again."
                  {...fieldState(problems.get(`webSearch.${id}.apiKey`))}
                />
              </div>
              {isSet ? (
                <Button
                  variant="ghost"
                  className="mt-6"
                  aria-label={`Remove the ${name} key`}
                  onPress={() => set({ removed: [...values.removed, id] })}
                >
                  Remove
                </Button>
              ) : null}
            </div>
          );
        })}
      </SectionBody>
    </SettingsFrame>
  );
}
