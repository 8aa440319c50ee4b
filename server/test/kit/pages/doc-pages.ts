/** Pages of the documentation, run as a reader would run them, beside a service of their own. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serve } from '../../../src/app/serve.ts'
import { createLog } from '../../../src/infra/logging/log.ts'
import { loadSettings } from '../../../src/infra/settings/settings.ts'
import { writeCommandShim } from './command-shim.ts'
import { readPage, ROOT, runExamples, runSnippet } from './doc-examples.ts'
import { startOwnKit, type Kit, type TestPlatform } from '../florin.ts'
import { MASTER_KEY } from '../processes/server-process.ts'

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

/** How pages call a command, from the checkout or from elsewhere. */
const COMMANDS = ['npm run -s florin --', 'npm --prefix "$FLORIN" run -s florin --', 'npx florin']

/** Pages for operators take minutes of commands: they have a file of their own. */
export const isForOperators = (path: string): boolean =>
  path.startsWith('docs/runbooks/') ||
  ['going-to-production', 'connect-your-bank'].some((guide) => path === `docs/guides/${guide}.md`)

const RUNNABLE = ['README.md', 'sdk/README.md', 'examples/README.md']

/** All that `npm start` serves, in this process, which has loaded the sources already; its address, without the version. */
async function serveAll({ databaseUrl, dataDir }: Kit): Promise<string> {
  const settings = loadSettings(
    {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, MASTER_KEY, PORT: '0', ADMIN_PORT: '0' },
      RATE_LIMIT_PER_SECOND: '0',
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0',
      RATE_LIMIT_ANONYMOUS_PER_SECOND: '0',
    },
    { cwd: dataDir },
  )
  const serving = await serve(settings, createLog({ logLevel: 'fatal' }))
  after(() => serving.stop())
  return new URL(serving.baseUrl).origin
}

/** For what pages save; an embedded database in it may run under another account. */
async function makeScratch(): Promise<string> {
  const scratch = await mkdtemp(join(process.env['TEST_SCRATCH'] ?? tmpdir(), 'florin-docs-'))
  await chmod(scratch, 0o755)
  after(() => rm(scratch, { recursive: true, force: true }))
  return scratch
}

export async function startDocPages() {
  // Its jobs and events are left to the service that the pages talk to.
  const kit = await startOwnKit({}, { worker: false })
  const origin = await serveAll(kit)
  const scratch = await makeScratch()
  const shim = await writeCommandShim(scratch)
  const byShim = Object.fromEntries(COMMANDS.map((command) => [command, shim]))
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
        FLORIN_ORIGIN: origin,
        FLORIN_CLIENT_ID: platform.clientId,
        FLORIN_CLIENT_SECRET: platform.clientSecret,
        FLORIN_PLATFORM_ID: platform.platformId,
        DATABASE_URL: kit.databaseUrl,
        DATA_DIR: kit.dataDir,
        MASTER_KEY,
        ...env,
      },
      replaced: { ...replaced, ...(isByNpm ? {} : byShim) },
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
