/** A fresh tab on the reference for each test of a file, and a watch over what the browser minds. */
import { after, afterEach, before, beforeEach } from 'node:test'
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../kit/pages/browser.ts'
import { startDocsServer, type DocsServer } from './fixture.ts'

export type DocsVisit = {
  page: Page
  server: DocsServer
  /** Errors, policy violations and requests to other hosts so far; a test ends with none. */
  complaints: string[]
  open(hash: string): Promise<void>
}

/** Its members are there while a test runs. */
export function visitDocs(): DocsVisit {
  const opened = openBrowser()
  let browser: Browser
  const visit = {
    complaints: [] as string[],
    async open(hash: string) {
      // Another fragment alone would not load the page again, and the old heading is still there.
      await visit.page.goto('about:blank')
      await visit.page.goto(`${visit.server.origin}/docs#${hash}`)
      await visit.page.locator('main h1').waitFor()
    },
  } as DocsVisit
  before(async () => {
    ;[visit.server, browser] = await Promise.all([startDocsServer(), opened])
  })
  after(() => visit.server.close())
  beforeEach(async () => {
    visit.complaints = []
    visit.page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    watch(visit)
  })
  afterEach(async () => {
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
