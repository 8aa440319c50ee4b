/** A fresh tab on the reference for each test of a file, and a watch over what the browser minds. */
import { after, afterEach, before, beforeEach } from 'node:test'
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
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

/** Its members are there while a test runs. */
export function visitDocs(): DocsVisit {
  const opened = openBrowser()
  let context: BrowserContext
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
    // One for all tests, so that the fifty files of the page are sent once.
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  })
  after(() => visit.server.close())
  beforeEach(async () => {
    visit.complaints = []
    visit.page = await context.newPage()
    watch(visit)
  })
  afterEach(async () => {
    await visit.page.evaluate('localStorage.clear()')
    await visit.page.close()
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
