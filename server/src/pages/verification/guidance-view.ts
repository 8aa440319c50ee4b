/** Advice shown before a photo is taken: what the inspection checks (chapter 11, 7.7). */
import { html, type Html } from '../html.ts'
import type { PlainKey } from '../language/text-keys.ts'
import type { Locale } from '../language/locale.ts'

const picture = (inside: Html): Html =>
  html`<svg viewBox="0 0 96 64" aria-hidden="true" focusable="false">
    <rect class="table" width="96" height="64" rx="6" />
    ${inside}
  </svg>`

const CARD = html`<rect class="paper" x="16" y="12" width="64" height="40" rx="4" /><rect
    class="face"
    x="22"
    y="19"
    width="16"
    height="20"
    rx="2"
  /><path class="print" d="M44 22h28M44 29h28M44 36h18M22 45h50" />`

type Rule = Readonly<{ picture: Html; title: PlainKey; text: PlainKey }>

const RULES: readonly Rule[] = [
  {
    picture: picture(
      html`${CARD}<path class="corners" d="M11 20V7h13M72 7h13v13M85 44v13H72M24 57H11V44" />`,
    ),
    title: 'photo.corners',
    text: 'photo.corners.text',
  },
  {
    picture: picture(
      html`${CARD}<circle class="lens" cx="58" cy="32" r="15" /><path
          class="lens"
          d="m69 43 11 11"
        />`,
    ),
    title: 'photo.sharp',
    text: 'photo.sharp.text',
  },
  {
    picture: picture(
      html`${CARD}<path
          class="corners"
          d="M76 5v4M76 17v4M68 13h4M80 13h4M70 7l3 3M79 16l3 3M82 7l-3 3M73 16l-3 3"
        />`,
    ),
    title: 'photo.light',
    text: 'photo.light.text',
  },
]

export function guidanceView({ say }: Locale, isCard: boolean): Html {
  const rules = RULES.map(
    (rule) =>
      html`<li>
        ${rule.picture}
        <div>
          <strong>${say(rule.title)}</strong>
          <p>${say(rule.text)}</p>
        </div>
      </li>`,
  )
  return html`<div class="guidance">
    <p class="hint">${say(isCard ? 'photo.title' : 'photo.pdf')}</p>
    <ul>
      ${rules}
    </ul>
  </div>`
}
