/** The public page with the text of a version of the end-user terms (CUST-30). */
import type { FastifyInstance } from 'fastify'
import { findTerms } from '../../features/customers/index.ts'
import { sendPage } from '../hosted-page.ts'
import type { PageHost } from '../page-host.ts'
import { TERMS_NOT_FOUND, termsView } from './terms-view.ts'

export function registerTermsPage(http: FastifyInstance, { deps }: PageHost): void {
  http.get('/legal/end-user-terms/:version', async (request, reply) => {
    const { version } = request.params as { version: string }
    const terms = isStorable(version) ? await findTerms(deps.db.read, version) : undefined
    const { legalName } = deps.settings
    return sendPage(reply, terms ? termsView(terms, legalName) : TERMS_NOT_FOUND)
  })
}

/** PostgreSQL stores no U+0000, so no version has one. */
const isStorable = (version: string): boolean => !version.includes('\u0000')
