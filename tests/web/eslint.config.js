// What ESLint checks besides its recommended rules; Prettier formats, and tsc checks the types.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/vendor/", "**/node_modules/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } },
    rules: {
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 120 }],
    },
  },
  { files: ["tests/web/**"], languageOptions: { globals: globals.node } },
];
