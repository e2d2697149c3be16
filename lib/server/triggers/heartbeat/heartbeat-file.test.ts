import { expect, test } from "vitest";
import { hasTasks } from "./heartbeat-file";

test.for([
  "",
  "\n  \n",
  "# Heartbeat\n\n## What to look at\n",
  "<!-- look at the reviews -->",
  "<!-- one\n- two\n-->\n\n# Tasks",
  "<!-- never closed\n- look at the reviews",
  "- \n*\n+\n1.\n2)\n- [ ]\n* [x]",
  "# Heartbeat\n\nTasks to look at when you are woken without a message. None yet.\n",
])("nothing to do: %j", (text) => {
  expect(hasTasks(text)).toBe(false);
});

test.for([
  "- look at the reviews",
  "Look at the reviews.",
  "# Tasks\n- [ ] reviews",
  "<!-- why --> reviews",
  "1. reviews",
])("something to do: %j", (text) => {
  expect(hasTasks(text)).toBe(true);
});
