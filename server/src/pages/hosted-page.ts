/**
 * What the hosted pages share: one small document each, without script and without anything from elsewhere, and a
 * policy that says so (CORE-93). The link to a page holds a secret, so nothing of it is cached or passed on.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { html, type Html } from './html.ts'

const STYLE = readFileSync(new URL('hosted-page.css', import.meta.url), 'utf8')
/** Without a blank around it: the policy allows these very bytes. */
const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` }
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_DIGEST}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export type HostedPage = Readonly<{
  status?: number
  title: string
  /** A card for something to do, a document for something to read. */
  layout?: 'card' | 'document'
  body: Html
}>

export function sendPage(
  reply: FastifyReply,
  { status = 200, title, layout = 'card', body }: HostedPage,
) {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main class="${layout}">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
  return reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(page.html)
}

/** Leads back to a page after something was done on it, so that a reload does not do it again. */
export function backTo(reply: FastifyReply, location: string) {
  return reply
    .code(303)
    .headers({ ...HEADERS, location })
    .send()
}
