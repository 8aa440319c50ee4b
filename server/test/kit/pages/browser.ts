/**
 * Chromium for page tests, from the npm package that carries it where that has one for the machine: no system package is
 * needed and the version is pinned. Elsewhere it is the system's. `CHROMIUM_PATH` names another one.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import bundled from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'
import { installedChromium, isBundled } from './installed-chromium.ts'

const CACHE_FOLDER = fileURLToPath(new URL('../../../../.cache', import.meta.url))

/**
 * `RenderDocument` makes a new frame with a compositor of its own for each navigation. Chromium reads the last list alone,
 * so Playwright's own are repeated here and in `--enable-features`, as far as a browser without windows has them.
 */
const DISABLED_FEATURES = [
  'RenderDocument',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
]

// Not the package's own arguments: they hold --single-process, with which closing a context ends
// the browser.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // Drawing and network in the browser's own process, and pages of one context in one renderer: a quarter less work.
  '--in-process-gpu',
  '--renderer-process-limit=1',
  `--enable-features=${['CDPScreenshotNewSurface', 'NetworkServiceInProcess2'].join()}`,
  `--disable-features=${DISABLED_FEATURES.join()}`,
]

let shared: Promise<Browser> | undefined

/**
 * Chromium, shared by the test files of this process as the service is. Call it once, at the top of a test file: what the
 * file opened is closed after it.
 */
export function openBrowser(): Promise<Browser> {
  const isOwn = process.channel === undefined
  const browser = isOwn ? launchBrowser() : (shared ??= launchShared())
  after(async () => {
    const opened = await browser
    if (isOwn) await opened.close()
    else await Promise.all(opened.contexts().map((context) => context.close()))
  })
  return browser
}

/** The test runner disconnects from this process after its last file. */
async function launchShared(): Promise<Browser> {
  const browser = await launchBrowser()
  process.once('disconnect', () => void browser.close())
  return browser
}

async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: ARGUMENTS })
}

async function findChromium(): Promise<string> {
  if (isBundled && !process.env.CHROMIUM_PATH) return unpackBundled()
  const installed = installedChromium()
  if (installed === undefined) throw new Error('Chromium is not installed; CHROMIUM_PATH names one')
  return installed
}

/**
 * The package unpacks to the temporary directory under a fixed name and takes whatever lies there,
 * even another version or a half-written file. So each version gets a folder of its own, which
 * appears under its final name only when it is complete: test files run side by side.
 */
async function unpackBundled(): Promise<string> {
  const folder = join(CACHE_FOLDER, `chromium-${await bundledVersion()}`)
  const executable = join(folder, 'chromium')
  if (existsSync(executable)) return executable
  const workshop = `${folder}.${randomUUID()}`
  await mkdir(workshop, { recursive: true })
  try {
    await withTemporaryFolder(workshop, () => bundled.executablePath())
    await rename(workshop, folder)
  } catch (error) {
    await rm(workshop, { recursive: true, force: true })
    if (!existsSync(executable)) throw error
  }
  return executable
}

async function bundledVersion(): Promise<string> {
  const path = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? ''
  const { version }: { version: string } = JSON.parse(await readFile(path, 'utf8'))
  return version
}

async function withTemporaryFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
