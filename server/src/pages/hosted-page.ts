/**
 * Shared by the hosted pages: one small document each, without resources of other hosts, and a content policy that
 * enforces it (CORE-93). A page's link is a secret, so the page is not cached and sends no referrer.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from './branding/brand.ts'
import { html, type Html } from './html.ts'
import { LANGUAGES, type Language } from './language/languages.ts'
import { localeOf, ownAddress, withLanguage, type Locale } from './language/locale.ts'

const STYLE = readFileSync(new URL('hosted-page.css', import.meta.url), 'utf8')

/** Style and script of a page; its policy allows exactly these, and the style and logo of a platform. */
export type PageAssets = Readonly<{
  style: Html
  script: Html
  headersFor(brand: Brand | undefined): Readonly<Record<string, string>>
}>

const digestOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** No blanks around the content: the policy allows exactly these bytes. */
const styleElement = (css: string): Html => ({ html: `<style>${css}</style>` })

/** Adds a page's own style and script; the script may call the page's own origin. */
export function pageAssets({
  style = '',
  script,
}: { style?: string; script?: string } = {}): PageAssets {
  const css = `${STYLE}${style}`
  const styles = digestOf(css)
  const scripted =
    script === undefined ? [] : [`script-src ${digestOf(script)}`, "connect-src 'self'"]
  return {
    style: styleElement(css),
    script: { html: script === undefined ? '' : `<script type="module">${script}</script>` },
    headersFor: (brand) => {
      const images = [brand?.logo && "'self'", script !== undefined && 'blob:'].filter(Boolean)
      return {
        'content-security-policy': [
          "default-src 'none'",
          `style-src ${styles}${brand?.css ? ` ${digestOf(brand.css)}` : ''}`,
          ...scripted,
          ...(images.length > 0 ? [`img-src ${images.join(' ')}`] : []),
          "form-action 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ].join('; '),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
        vary: 'accept-language',
      }
    },
  }
}

const PLAIN = pageAssets()

/** Headers of an answer without a document. */
export const PRIVATE_HEADERS = PLAIN.headersFor(undefined)

export type HostedPage = Readonly<{
  status?: number
  title: string
  /** The window's title, where it differs from the heading. */
  windowTitle?: string
  /** A card for an action, a document for reading, a flow for forms. */
  layout?: 'card' | 'document' | 'flow'
  assets?: PageAssets
  brand?: Brand
  /** The address that shows the page again, where it differs from the one that the request tells. */
  self?: string
  /** Additional elements of the head. */
  head?: Html
  /** Content above the main part. */
  above?: Html
  body: Html
}>

export function sendPage(reply: FastifyReply, page: HostedPage) {
  const { status = 200, title, layout = 'card', assets = PLAIN, brand, body } = page
  const locale = localeOf(reply.request)
  const self = page.self ?? ownAddress(reply.request)
  const logo = brand?.logo && addressOf(brand.logo, reply.request)
  const document = html`<!doctype html>
    <html lang="${locale.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.windowTitle ?? title}</title>
        ${logo ? html`<link rel="icon" href="${logo}" />` : ''}
        ${page.head ?? ''}${assets.style}${brand?.css ? styleElement(brand.css) : ''}
      </head>
      <body class="${layout}-page">
        ${logo ? html`<img class="logo" src="${logo}" alt="${brand?.name}" />` : ''}
        ${page.above ?? ''}
        <main class="${layout}">
          <h1>${title}</h1>
          ${body}
        </main>
        ${languageSwitch(locale, self)}${assets.script}
      </body>
    </html>`
  return reply
    .code(status)
    .headers(assets.headersFor(brand))
    .type('text/html; charset=utf-8')
    .send(document.html)
}

/** Relative, so that it works below a proxy's prefix. */
function addressOf(path: string, { url }: FastifyRequest): string {
  const folders = (url.split('?')[0] ?? '').split('/').length - 2
  return `${'../'.repeat(folders)}${path}`
}

/** Every page can be read in another language; the choice then stays in the address (OPER-191). */
function languageSwitch({ language, say }: Locale, self: string): Html {
  const items = (Object.keys(LANGUAGES) as Language[]).map((one) => {
    const current = one === language ? html`aria-current="true"` : ''
    const to = withLanguage(self, one)
    return html`<li>
      <a href="${to}" lang="${one}" hreflang="${one}" ${current}>${LANGUAGES[one]}</a>
    </li>`
  })
  return html`<footer>
    <ul class="languages" aria-label="${say('language')}">
      ${items}
    </ul>
  </footer>`
}

/** Redirects to a page after an action, so that a reload does not repeat it. */
export function backTo(reply: FastifyReply, location: string) {
  return reply
    .code(303)
    .headers({ ...PRIVATE_HEADERS, location })
    .send()
}
