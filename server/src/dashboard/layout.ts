/** The frame of every screen, and the headers that go with it (CORE-93). */
import { mayUse } from '../operator/access/must-be-allowed.ts'
import { lookUpCommands } from '../operator/commands/customers/look-up.ts'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { traitsOf } from '../kernel/platform-traits.ts'
import { brandFiles } from '../pages/brand.ts'
import { html, type Html } from '../pages/html.ts'
import type { Counted, Screen, Visit } from './section.ts'

const asset = (name: string, type: string, content: Buffer | string) => ({
  // The address changes with the content, so a browser may keep it for good.
  path: `/assets/${hash('sha256', content).slice(0, 12)}/${name}`,
  content,
  type,
})

const BRAND_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', woff2: 'font/woff2' }

const BRAND = brandFiles.map(([name, path]) =>
  asset(name, BRAND_TYPES[name.split('.')[1] ?? ''] ?? '', readFileSync(path)),
)
const ICON = BRAND.find(({ path }) => path.endsWith('/icon.svg'))?.path ?? ''

const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The style names the fonts by their file names alone. */
const styleWithFonts = BRAND.reduce(
  (text, { path }) => text.replaceAll(`'${path.slice(path.lastIndexOf('/') + 1)}'`, `'${path}'`),
  own('dashboard.css'),
)
const STYLE = asset('dashboard.css', 'text/css; charset=utf-8', styleWithFonts)
const SCRIPT = asset('dashboard.js', 'text/javascript; charset=utf-8', own('dashboard.js'))

export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Style, script and brand hold nothing of anybody, so the sign-in page has them too. */
export function registerAssets(http: FastifyInstance): void {
  for (const { path, content, type } of [STYLE, SCRIPT, ...BRAND]) {
    http.get(path, (_request, reply) =>
      reply
        .headers({ ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' })
        .type(type)
        .send(content),
    )
  }
}

const mark = html`<img src="${ICON}" alt="" width="26" height="26" />`

const documentOf = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Florin</title>
        <link rel="icon" href="${ICON}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLE.path}" />
        <script type="module" src="${SCRIPT.path}"></script>
      </head>
      ${body}
    </html>`.html

const send = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(page)

/** The page without a session. */
export function sendCard(reply: FastifyReply, { status = 200, title, body }: Screen) {
  return send(
    reply,
    status,
    documentOf(
      title,
      html`<body class="alone">
        <header class="brand">${mark} Florin</header>
        <main class="card">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>`,
    ),
  )
}

/** The address of a page, with the platform that is chosen. */
export const addressOf = ({ platformId }: Visit, path: string): string =>
  platformId === undefined ? path : `${path}?${new URLSearchParams({ platform: platformId })}`

export const formToken = ({ formToken: token }: Visit): Html =>
  html`<input type="hidden" name="formToken" value="${token}" />`

/** Where the keyboard starts, and what is read out: what has come of a form. */
const FOCUSED = html`tabindex="-1" autofocus`

export function sendScreen(
  reply: FastifyReply,
  visit: Visit,
  { counted, screen }: Readonly<{ counted: readonly Counted[]; screen: Screen }>,
) {
  const { status = 200, title, problems = [], body, within, back, isAnswer = false } = screen
  const page = documentOf(
    problems.length > 0 ? `Refused: ${title}` : title,
    html`<body>
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <a class="brand" href="${addressOf(visit, '/')}">${mark} Florin</a>
        ${mayUse(visit.caller, lookUpCommands.lookUp) ? lookUp(visit) : ''} ${platformChoice(visit)}
        <form class="who" method="post" action="/sign-out">
          ${formToken(visit)}
          <a href="${addressOf(visit, '/account/tokens')}" title="Signed in; to your tokens"
            >${visit.caller.name}</a
          >
          <button class="quiet">Sign out</button>
        </form>
      </header>
      <nav class="side" aria-label="Sections">
        <ul>
          ${navigation(visit, counted, within)}
        </ul>
        <p class="keys">
          <kbd>l</kbd> search · <kbd>/</kbd> filter<br /><kbd>j</kbd> <kbd>k</kbd> rows ·
          <kbd>u</kbd> up<br /><kbd>a</kbd> actions
        </p>
      </nav>
      <main id="main" tabindex="-1">
        ${visit.notice === undefined ? '' : html`<p class="notice" ${FOCUSED} role="status">${visit.notice}</p>`}
        ${problemsView(problems)}
        ${back === undefined ? '' : html`<p class="back"><a href="${back.href}">← ${back.title}</a></p>`}
        <h1${isAnswer ? html` ${FOCUSED}` : ''}>${title}</h1>
        ${body}
      </main>
    </body>`,
  )
  return send(reply, status, page)
}

/** From any page to whatever has an id. What found nothing can be mended. */
const lookUp = ({ path, query }: Visit): Html =>
  html`<form class="look-up" method="get" action="/look-up" role="search" aria-label="Everything">
    <label class="unseen" for="look-up">Search for an id, a name, an amount or a reference</label>
    <input
      id="look-up"
      name="id"
      type="search"
      value="${path === '/look-up' ? (query.get('id') ?? '') : ''}"
      placeholder="Id, name, e-mail, amount, reference"
      required
    />
    <button class="quiet">Search</button>
  </form>`

const problemsView = (problems: readonly string[]): Html =>
  problems.length === 0
    ? html``
    : html`<div class="problem" ${FOCUSED} role="alert">
        <strong>Nothing was changed.</strong>
        ${problems.map((one) => html`<p>${one}</p>`)}
      </div>`

function navigation(visit: Visit, counted: readonly Counted[], within: string | undefined): Html[] {
  const overview = { path: '/', title: 'Overview', waiting: 0 }
  const rest = counted.map(({ section: { path, title }, waiting }) => ({
    path: `/${path}`,
    title,
    waiting,
  }))
  return [overview, ...rest].map(({ path, title, waiting }) => {
    const isHere = path === `/${within ?? ''}`
    return html`<li>
      <a href="${addressOf(visit, path)}" ${isHere ? html`aria-current="page"` : ''}
        >${title}${
          waiting > 0
            ? html` <span class="count"
                >${countOf(waiting)}<span class="unseen"> waiting</span></span
              >`
            : ''
        }</a
      >
    </li>`
  })
}

const COUNT_MAX = 99

/** Counting stops where more tells nothing more. */
export const countOf = (waiting: number): string =>
  waiting > COUNT_MAX ? `${COUNT_MAX}+` : String(waiting)

function platformChoice({ platforms, platformId, path, query }: Visit): Html {
  const kept = [...query].filter(([name]) => !['platform', 'before', 'after'].includes(name))
  return html`<form class="platforms" method="get" action="${path}">
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label for="platform">Platform</label>
    <select id="platform" name="platform" data-submit>
      <option value="">All platforms</option>
      ${platforms.map((one) => {
        const id = one.platformId
        const isSandbox = traitsOf(one).isMarkedAsTest
        return html`<option value="${id}" ${id === platformId ? html`selected` : ''}>
          ${one.name}${isSandbox ? ' (sandbox)' : ''}
        </option>`
      })}
    </select>
    <button class="quiet">Show</button>
  </form>`
}
