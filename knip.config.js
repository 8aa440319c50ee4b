/**
 * What nothing uses. Plain `knip` counts uses by tests, so that the test kit is looked through as well; with
 * `--production` a test keeps nothing alive, except that it may reach for what its file uses itself.
 */
const isProduction = process.argv.includes('--production')

export default {
  ignoreExportsUsedInFile: isProduction || { type: true, interface: true },
  workspaces: {
    '.': {
      entry: [
        ...[
          'tools/*.{ts,mjs}!',
          'bench/run.ts!',
          'bench/service/{bare-routes,probe,receiver}.ts!',
          'examples/*.ts!',
          'tools/reference/examples/record-examples.ts!',
          'cli/client.ts!',
        ],
        // Started by their paths.
        ...[
          'tools/sql/check-sql.ts!',
          'tools/regexes/check-regexes.ts!',
          'tools/sdk/build-sdk.ts!',
        ],
        'tools/test-run/{faults,test-worker,test-reporter,test-context}.ts!',
        // Cases of the rules of tidy, which are tests.
        ...['tools/tidy/project/prove-rules.ts!', '**/*.test.ts'],
      ],
      project: ['{tools,bench,examples,cli}/**/*.{ts,mjs}!', '!**/*.test.ts!'],
      // The service's own, and programs that are started by their paths.
      ignoreDependencies: [
        ...['fastify', 'pg', 'pg-protocol'],
        ...['typescript-native', 'oxlint', 'oxlint-tsgolint'],
      ],
    },
    server: {
      entry: [
        'src/bin/*.{ts,mjs}!',
        'src/{dashboard/dashboard,pages/docs/docs,pages/verification/verification}.js!',
        // Started by their paths.
        ...['test/faults/database-owner.ts', 'test/kit/processes/{bank,paced}-server.ts'],
        '**/*.test.ts',
      ],
      project: ['src/**/*.{ts,js,mjs}!', 'test/**/*.ts', '!**/*.test.ts!'],
      // Read as files.
      ignoreDependencies: ['@fontsource-variable/.*'],
      // A program of Linux.
      ignoreBinaries: ['unshare'],
    },
    sdk: {
      entry: ['**/*.test.ts'],
      project: ['src/**/*.ts!', 'test/**/*.ts', '!**/*.test.ts!'],
    },
  },
}
