import js from '@eslint/js'
import prettier from 'eslint-config-prettier'
import { importX } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

// Outside of `describe` a hook is one of all tests of the run, those of other files included.
const HOOK_OF_EVERYTHING = {
  selector: 'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each)?$/]',
  message: 'A hook belongs into a describe: here it runs for every test of every file.',
}

// On Node.js 20 such an export deadlocks the main thread with the garbage collector, when that frees the job which made the key.
const JWK_EXPORTS = [
  "CallExpression[callee.property.name='export'] Property[key.name='format'][value.value='jwk']",
  "Property[key.name=/^(public|private)KeyEncoding$/] Property[key.name='format'][value.value='jwk']",
  "CallExpression[callee.property.name='exportKey'][arguments.0.value='jwk']",
  "CallExpression[callee.name='exportJWK']",
].map((selector) => ({
  selector,
  message: 'Keys are made and exported in DER: on Node.js 20 an export as JWK can stop the process for ever.',
}))

export default tseslint.config(
  {
    ignores: [
      '**/build/**',
      '**/node_modules/**',
      '.node/**',
      'coverage/**',
      'data/**',
      'packages/client/src/api-types.ts',
    ],
  },
  js.configs.recommended,
  { rules: { 'no-restricted-syntax': ['error', ...JWK_EXPORTS] } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.test.json', './packages/console/tsconfig.test.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // `{}` and optional members are how Veramo's own types are written.
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'import-x/no-default-export': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/__tests__/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // fast-check's and mocha's callbacks, and answers of a server that are inspected member by member
      '@typescript-eslint/require-await': 'off',
      'no-restricted-syntax': ['error', HOOK_OF_EVERYTHING, ...JWK_EXPORTS],
    },
  },
  {
    files: ['packages/cli/**/*.ts', 'bench/**/*.ts', 'deploy/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  prettier,
)
