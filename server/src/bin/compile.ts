/** Loads what the service and its commands consist of, so that Node.js keeps it compiled in NODE_COMPILE_CACHE. */
import { globSync } from 'node:fs'
import './resolve-sources.ts'

const ROOT = new URL('../../..', import.meta.url)

const paths = globSync(['server/src/{app,operator}/**/*.ts', 'cli/**/*.ts'], {
  cwd: ROOT,
  exclude: ['**/*.test.ts'],
})
for (const path of paths) await import(new URL(path, ROOT).href)
