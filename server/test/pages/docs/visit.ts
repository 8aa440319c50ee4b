/** A tab on the reference for the tests of a file, and a watch over what the browser minds. */
import { after, afterEach, before, beforeEach } from 'node:test'
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../kit/pages/browser.ts'
import { startDocsServer, type DocsServer } from './fixture.ts'

export type DocsVisit = {
  page: Page
  server: DocsServer
  /** Errors, policy violations and requests to other hosts so far; a test ends with none. */
  complaints: string[]
  /** Loads the page. */
  open(hash: string): Promise<void>
  /** Goes there within the loaded page, as a link does: loading takes ten times the work. */
  follow(hash: string): Promise<void>
}

/** The page has shown its new view by the time another listener learns of the new address. */
const FOLLOW = `(hash) => new Promise((resolve) => {
  if (location.hash.slice(1) === hash) return resolve()
  addEventListener('hashchange', () => resolve(), { once: true })
  location.hash = hash
})`

const DESK = { width: 1280, height: 900 }
const NO_WISHES = { colorScheme: 'light', reducedMotion: 'no-preference' } as const

/** Its members are there while a test runs. */
export function visitDocs(): DocsVisit {
  const opened = openBrowser()
  const visit = {
    complaints: [] as string[],
    async open(hash: string) {
      // Another fragment alone would not load the page again, and the old heading is still there.
      if (visit.page.url() !== 'about:blank') await visit.page.goto('about:blank')
      await visit.page.goto(`${visit.server.origin}/docs#${hash}`)
      await visit.page.locator('main h1').waitFor()
    },
    follow: (hash: string) => visit.page.evaluate(`(${FOLLOW})(${JSON.stringify(hash)})`),
  } as DocsVisit
  before(async () => {
    const [server, browser] = await Promise.all([startDocsServer(), opened])
    visit.server = server
    // One for all tests: the fifty files of the page are sent once, and each tab is a process of its own.
    visit.page = await browser.newPage()
    watch(visit)
  })
  after(() => visit.server.close())
  beforeEach(async () => {
    visit.complaints = []
    await visit.page.setViewportSize(DESK)
    await visit.page.emulateMedia(NO_WISHES)
  })
  afterEach(async () => {
    await visit.page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await visit.page.goto('about:blank')
    assert.deepEqual(visit.complaints, [])
  })
  return visit
}

function watch(visit: DocsVisit): void {
  const { page, server } = visit
  page.on('pageerror', (error) => visit.complaints.push(error.message))
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource.*(404|503)/.test(message.text())
    const isComplaint = ['error', 'warning'].includes(message.type())
    if (isComplaint && !isRefusal) visit.complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin)) visit.complaints.push(`asked ${request.url()}`)
  })
}
