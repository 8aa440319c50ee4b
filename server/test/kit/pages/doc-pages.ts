/** Pages of the documentation, run as a reader would run them, beside a service of their own. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeCommandShim } from './command-shim.ts'
import { readPage, ROOT, runExamples, runSnippet } from './doc-examples.ts'
import { startOwnKit, type TestPlatform } from '../florin.ts'
import { MASTER_KEY, startServerProcess } from '../processes/server-process.ts'

/** What a page's examples print, by name. */
export type Printed = Readonly<{ of(example: string): string; platform: TestPlatform }>

type Surroundings = Readonly<{
  env?: Record<string, string | undefined>
  cwd?: string
  replaced?: Record<string, string>
  /** One that others have used before; else a new one. */
  platform?: TestPlatform
  prepare?: (platform: TestPlatform) => Promise<void>
  /** Commands are run by npm, each in a process of its own, and not in this one. */
  isByNpm?: true
}>

const COMMAND = 'npm run -s florin --'

/** Pages for operators take minutes of commands: they have a file of their own. */
export const isForOperators = (path: string): boolean =>
  path.startsWith('docs/runbooks/') ||
  ['going-to-production', 'connect-your-bank'].some((guide) => path === `docs/guides/${guide}.md`)

const RUNNABLE = ['README.md', 'sdk/README.md', 'examples/README.md']

export async function startDocPages() {
  const kit = await startOwnKit()
  const server = await startServerProcess({ DATABASE_URL: kit.databaseUrl, DATA_DIR: kit.dataDir })
  after(() => server.end('SIGTERM'))
  const origin = new URL(server.baseUrl).origin
  const scratch = await mkdtemp(join(tmpdir(), 'florin-docs-'))
  after(() => rm(scratch, { recursive: true, force: true }))
  const shim = await writeCommandShim(scratch)
  const tested = new Set<string>()

  const run = async (
    path: string,
    { env, prepare, platform: known, replaced, isByNpm, ...rest }: Surroundings,
  ): Promise<Printed> => {
    const platform = known ?? (await kit.platform())
    await prepare?.(platform)
    const { examples } = await readPage(path)
    const printed = await runExamples(examples, {
      origin,
      env: {
        CLIENT_ID: platform.clientId,
        CLIENT_SECRET: platform.clientSecret,
        PLATFORM_ID: platform.platformId,
        DATABASE_URL: kit.databaseUrl,
        DATA_DIR: kit.dataDir,
        MASTER_KEY,
        ...env,
      },
      replaced: { ...replaced, ...(isByNpm ? {} : { [COMMAND]: shim }) },
      ...rest,
    })
    return { of: (example) => printed.get(example) ?? assert.fail(example), platform }
  }
  return {
    kit,
    origin,
    scratch,
    tested,
    /** One page, run from top to bottom; on a platform of its own, unless it is given one. */
    page(
      path: string,
      about: string,
      check: (printed: Printed) => Promise<void> | void,
      surroundings: Surroundings = {},
    ): void {
      tested.add(path)
      test(`${path}: ${about}`, async () => check(await run(path, surroundings)))
    },
    /** A piece of a program of the page, with what a reader has at hand and writes below it; what it prints. */
    async snippet(
      path: string,
      name: string,
      { given, then = '' }: { given: Record<string, string>; then?: string },
    ): Promise<string> {
      const { snippets } = await readPage(path)
      return runSnippet(snippets.get(name) ?? assert.fail(name), { origin, given, then })
    },
    /** Fails for a page with something to run that is not run, and the other way round. */
    async mustRunAll(isCovered: (path: string) => boolean): Promise<void> {
      const inDocs = (await readdir(join(ROOT, 'docs'), { recursive: true }))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`)
      for (const path of [...RUNNABLE, ...inDocs].filter(isCovered)) {
        const { examples, files, snippets } = await readPage(path)
        const isRun = examples.size + files.size + snippets.size > 0
        assert.equal(tested.has(path), isRun, `${path} is run if it has something to run`)
      }
    },
  }
}
