/** Hands a page over from a desk to a phone, by a code of the same link (OPER-197). */
import { encode } from 'uqr'
import { html, type Html } from '../html.ts'
import type { Locale } from '../language/locale.ts'

/** Scanners want a light margin around the code. */
const LAYOUT = { ecc: 'M', border: 4 } as const

function codeView(label: string, link: string): Html {
  const { data, size } = encode(link, LAYOUT)
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg viewBox="0 0 ${String(size)} ${String(size)}" role="img" aria-label="${label}">
    <rect width="100%" height="100%" fill="#ffffff" />
    <path d="${path.join('')}" fill="#000000" shape-rendering="crispEdges" />
  </svg>`
}

type HandOver = Readonly<{
  /** The page's own link; it is not another one, so it ends when the link does. */
  link: string
  /** The address that shows how far the phone is. */
  reload: string
  /** The state that the script of the page watches, where it has one. */
  state?: string
}>

/** Shown on wide screens, closed at first: the link is a secret. */
export const phoneView = ({ say }: Locale, { link, reload, state }: HandOver): Html =>
  html`<details class="phone" ${state === undefined ? '' : html`data-watch="${state}"`}>
    <summary>${say('phone.title')}</summary>
    ${codeView(say('phone.code'), link)}
    <div>
      <p>${say('phone.text')}</p>
      <p>${say('phone.link')}: <code>${link}</code></p>
      <p class="changed" role="status" data-text="${say('phone.changed')}"></p>
      <p><a href="${reload}">${say('phone.reload')}</a></p>
    </div>
  </details>`
