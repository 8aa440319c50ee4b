/**
 * Shared by the hosted pages: one small document each, without resources of other hosts, and a content policy that
 * enforces it (CORE-93). A page's link is a secret, so the page is not cached and sends no referrer.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { html, type Html } from './html.ts'

const STYLE = readFileSync(new URL('hosted-page.css', import.meta.url), 'utf8')

/** Style and script of a page, and the headers with the policy that allows exactly these. */
export type PageAssets = Readonly<{
  style: Html
  script: Html
  headers: Readonly<Record<string, string>>
}>

const digestOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Adds a page's own style and script; the script may call the page's own origin. */
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
    // No blanks around the content: the policy allows exactly these bytes.
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
  /** The window's title, where it differs from the heading. */
  windowTitle?: string
  /** A card for an action, a document for reading, a flow for forms. */
  layout?: 'card' | 'document' | 'flow'
  assets?: PageAssets
  /** Additional elements of the head. */
  head?: Html
  /** Content above the main part. */
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

/** Redirects to a page after an action, so that a reload does not repeat it. */
export function backTo(reply: FastifyReply, location: string) {
  return reply
    .code(303)
    .headers({ ...PLAIN.headers, location })
    .send()
}
