import { configure } from "@testing-library/react";

// What is looked for comes within milliseconds; a machine with other work may take its time.
configure({ asyncUtilTimeout: 15_000 });
