import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * A small set: mistakes that the types alone do not catch. Taste is Prettier's, structure is tools/tidy.ts.
 * A comment cannot switch a rule off.
 */
const everywhere = {
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-debugger': 'error',
  'no-self-compare': 'error',
  'no-constant-condition': ['error', { checkLoops: false }],
  'no-unreachable': 'error',
  'no-useless-catch': 'error',
  'no-unsafe-finally': 'error',
}

const RUNNER_CALLS = { from: 'package', package: 'node:test' }

export default defineConfig(
  { ignores: ['**/node_modules/', '**/generated/', '**/dist/', 'data/', '.cache/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.{js,mjs}'], rules: everywhere },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...everywhere,
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-array-delete': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        // The runner waits for its tests by itself.
        {
          allowForKnownSafeCalls: [{ ...RUNNER_CALLS, name: ['test', 'it', 'describe', 'suite'] }],
        },
      ],
      '@typescript-eslint/no-for-in-array': 'error',
      '@typescript-eslint/no-implied-eval': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-expressions': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/restrict-plus-operands': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
)
