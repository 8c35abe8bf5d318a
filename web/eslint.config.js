import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["npm/", "dist", "pkg", "node_modules", "public"] },
  ...tseslint.configs.recommended,
  {
    files: ["src/**/*.ts", "src/**/*.tsx"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
      // State belongs to objects that are made once and handed down, never to a module.
      "no-restricted-syntax": ["error", { selector: "Program > VariableDeclaration[kind='let']", message: "no mutable state in a module" },
        { selector: "Program > ExportNamedDeclaration > VariableDeclaration[kind='let']", message: "no mutable state in a module" }],
      eqeqeq: "error",
    },
  },
  { files: ["test/**/*.mjs", "example/**/*.js", "*.js"], rules: { "@typescript-eslint/no-unused-vars": "error" } },
);
