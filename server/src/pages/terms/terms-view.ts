import { toWireDate } from '../../kernel/clock.ts'
import type { TermsVersion } from '../../features/customers/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import { dateText } from '../language/format.ts'
import type { Locale } from '../language/locale.ts'

export const termsNotFound = ({ say }: Locale): HostedPage => ({
  status: 404,
  title: say('terms.unknown'),
  body: html`<p>${say('terms.unknown.text')}</p>`,
})

const HEADING = '## '
const LEGAL_NAME = '{{LEGAL_NAME}}'

/** Empty lines separate paragraphs; a paragraph that begins with `## ` is a heading. */
const blockOf = (text: string): Html =>
  text.startsWith(HEADING) ? html`<h2>${text.slice(HEADING.length)}</h2>` : html`<p>${text}</p>`

/** The terms themselves are shown as they were published; the page does not know their language. */
export function termsView(
  { say, sayHtml, language }: Locale,
  { version, body, publishedAt }: TermsVersion,
  legalName: string,
): HostedPage {
  const blocks = body
    .replaceAll(LEGAL_NAME, legalName)
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  const date = html`<time datetime="${toWireDate(publishedAt)}"
    >${dateText(language, publishedAt)}</time
  >`
  return {
    title: say('terms.title'),
    layout: 'document',
    body: html`<p class="small">${sayHtml('terms.head', { company: legalName, version, date })}</p>
      <div lang="">${blocks.map(blockOf)}</div>`,
  }
}
