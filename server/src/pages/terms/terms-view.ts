import { toWireDate } from '../../kernel/clock.ts'
import type { TermsVersion } from '../../features/customers/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'

export const TERMS_NOT_FOUND: HostedPage = {
  status: 404,
  title: 'There is no such version',
  body: html`<p>No end-user terms were ever published under this address. Check it for errors.</p>`,
}

const HEADING = '## '
const LEGAL_NAME = '{{LEGAL_NAME}}'

/** Empty lines separate paragraphs; a paragraph that begins with `## ` is a heading. */
const blockOf = (text: string): Html =>
  text.startsWith(HEADING) ? html`<h2>${text.slice(HEADING.length)}</h2>` : html`<p>${text}</p>`

export function termsView(
  { version, body, publishedAt }: TermsVersion,
  legalName: string,
): HostedPage {
  const blocks = body
    .replaceAll(LEGAL_NAME, legalName)
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  return {
    title: 'End-user terms',
    layout: 'document',
    body: html`<p class="small">
        ${legalName} · Version ${version} · Published on
        <time datetime="${toWireDate(publishedAt)}">${toWireDate(publishedAt)}</time>
      </p>
      ${blocks.map(blockOf)}`,
  }
}
