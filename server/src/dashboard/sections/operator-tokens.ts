/** What the pages of operators and of one's own tokens have in common. */
import { html, type Html } from '../../pages/html.ts'
import { timeOf } from '../cells/cells.ts'

/** The reference is served beside the dashboard (OPER-61). */
export const API_REFERENCE: Html = html`<a href="/operator/v1/docs"
  >Reference of the operator API</a
>`

type Once = Readonly<{ title: string; about: string; value: string; until: string }>

/** A secret in a block of its own, to be copied as a whole. */
export const shownOnce = ({ title, about, value, until }: Once): Html =>
  html`<p class="about">${about} It is not shown again.</p>
    <h2>${title}</h2>
    <pre tabindex="0" aria-label="${title}"><code>${value}</code></pre>
    <p class="small">Works until ${timeOf(until)}.</p>`
