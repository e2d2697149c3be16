"use client";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { formSchema } from "@/lib/client/forms/typed";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { secret } from "@/lib/schema/new-secret";
import { ChangeSettingsBody, type Settings } from "@/lib/schema/settings/settings";
import type { WebSearchBody } from "@/lib/schema/settings/web-search";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const KEYED = [
  { id: "brave", name: "Brave" },
  { id: "tavily", name: "Tavily" },
] as const;

const Keyed = z.strictObject({ apiKey: secret(z.string()), isRemoved: z.boolean() });
const Typed = z.strictObject({
  webSearch: z.strictObject({
    // Without the field: an environment variable decides.
    searxng: z.strictObject({ baseUrl: z.string() }).optional(),
    brave: Keyed,
    tavily: Keyed,
  }),
});
type Typed = z.infer<typeof Typed>;

const SearchForm = formSchema(Typed, toBody, ChangeSettingsBody);

/** The search service of `web_search`. */
export function SearchSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({ name: "search", schema: SearchForm, settings, valuesOf });
  const variable = settings.fixed["webSearch.searxng"];
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="Agents that name web_search in their tools can search once one of these is set. An agent asks the first that is set, or the one that its web.search names.">
        <Field
          of={form}
          name="webSearch.searxng.baseUrl"
          label="SearXNG"
          isDisabled={variable !== undefined}
          placeholder={variable === undefined ? "https://searx.example.org" : ""}
          description={
            variable === undefined
              ? "The address of your own. Its settings must allow the format json."
              : `${variable} decides it. Remove the variable and restart to change it here.`
          }
        />
        {KEYED.map(({ id, name }) => {
          const isSet = settings.webSearch[id] !== null && !form.values.webSearch[id].isRemoved;
          return (
            <div key={id} className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <Field
                  of={form}
                  name={`webSearch.${id}.apiKey`}
                  label={`${name} key`}
                  autoComplete="new-password"
                  placeholder={isSet ? "set; type to replace it" : ""}
                  description="Stored encrypted, and never shown again."
                />
              </div>
              {isSet ? (
                <Button
                  variant="ghost"
                  className="mt-6"
                  aria-label={`Remove the ${name} key`}
                  onPress={() => form.set(`webSearch.${id}.isRemoved`, true)}
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

function valuesOf({ webSearch: { searxng }, fixed }: Settings): Typed {
  const keyed = { apiKey: "", isRemoved: false };
  return {
    webSearch: {
      ...(fixed["webSearch.searxng"] === undefined ? { searxng: { baseUrl: searxng?.baseUrl ?? "" } } : {}),
      brave: keyed,
      tavily: keyed,
    },
  };
}

function toBody({ webSearch: { searxng, ...keyed } }: Typed): ChangeSettingsBody {
  const webSearch: WebSearchBody = {};
  const address = searxng?.baseUrl.trim();
  if (address !== undefined) webSearch.searxng = address === "" ? null : { baseUrl: address };
  for (const { id } of KEYED) {
    const { apiKey, isRemoved } = keyed[id];
    if (apiKey.trim() !== "") webSearch[id] = { apiKey: apiKey.trim() };
    else if (isRemoved) webSearch[id] = null;
  }
  return { webSearch };
}
