/** The public page with the text of a version of the end-user terms (CUST-30). */
import type { FastifyInstance } from 'fastify'
import { findTerms } from '../../features/customers/index.ts'
import { sendPage } from '../hosted-page.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { termsNotFound, termsView } from './terms-view.ts'

export function registerTermsPage(http: FastifyInstance, { deps }: PageHost): void {
  http.get('/legal/end-user-terms/:version', async (request, reply) => {
    const { version } = request.params as { version: string }
    const terms = isStorable(version) ? await findTerms(deps.db.read, version) : undefined
    const { legalName } = deps.settings
    const locale = localeOf(request)
    return sendPage(reply, terms ? termsView(locale, terms, legalName) : termsNotFound(locale))
  })
}

/** PostgreSQL stores no U+0000, so no version has one. */
const isStorable = (version: string): boolean => !version.includes('\u0000')
