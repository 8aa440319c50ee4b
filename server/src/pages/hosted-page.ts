/**
 * What the hosted pages share: one small document each, with nothing from elsewhere, and a policy that says so
 * (CORE-93). The link to a page holds a secret, so nothing of it is cached or passed on.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { html, type Html } from './html.ts'

const STYLE = readFileSync(new URL('hosted-page.css', import.meta.url), 'utf8')

/** What a page looks like and does, and the policy that allows exactly this. */
export type PageAssets = Readonly<{
  style: Html
  script: Html
  headers: Readonly<Record<string, string>>
}>

const digestOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** With a style and a script of its own, where a page needs them; the script may ask the page's own origin. */
export function pageAssets({
  style = '',
  script,
}: { style?: string; script?: string } = {}): PageAssets {
  const css = `${STYLE}${style}`
  const scripted =
    script === undefined
      ? []
      : [`script-src ${digestOf(script)}`, "connect-src 'self'", 'img-src blob:']
  return {
    // Without a blank around it: the policy allows these very bytes.
    style: { html: `<style>${css}</style>` },
    script: { html: script === undefined ? '' : `<script type="module">${script}</script>` },
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `style-src ${digestOf(css)}`,
        ...scripted,
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    },
  }
}

const PLAIN = pageAssets()

export type HostedPage = Readonly<{
  status?: number
  title: string
  /** What the window is called, where the page has a longer name than its heading. */
  windowTitle?: string
  /** A card for something to do, a document for something to read, a flow for something to fill in. */
  layout?: 'card' | 'document' | 'flow'
  assets?: PageAssets
  /** Says what stands in the head beside the usual. */
  head?: Html
  /** What stands above the page proper. */
  above?: Html
  body: Html
}>

export function sendPage(reply: FastifyReply, page: HostedPage) {
  const { status = 200, title, layout = 'card', assets = PLAIN, body } = page
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.windowTitle ?? title}</title>
        ${page.head ?? ''}${assets.style}
      </head>
      <body class="${layout}-page">
        ${page.above ?? ''}
        <main class="${layout}">
          <h1>${title}</h1>
          ${body}
        </main>
        ${assets.script}
      </body>
    </html>`
  return reply
    .code(status)
    .headers(assets.headers)
    .type('text/html; charset=utf-8')
    .send(document.html)
}

/** Leads back to a page after something was done on it, so that a reload does not do it again. */
export function backTo(reply: FastifyReply, location: string) {
  return reply
    .code(303)
    .headers({ ...PLAIN.headers, location })
    .send()
}
