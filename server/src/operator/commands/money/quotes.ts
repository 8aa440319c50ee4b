import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import {
  endQuote,
  QuoteSchema,
  quoteStatusOf,
  readQuote,
  showQuote,
} from '../../../features/quotes/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyArg, record, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { findPlatformOfQuote } from '../../queries/newest-store.ts'
import { listQuotes } from '../lists/list-quotes.ts'

const show = defineCommand({
  name: 'quotes show',
  access: { roles: ['VIEWER'] },
  about: 'One quote as the API shows it.',
  takes: ['quoteId'],
  answers: record({
    platformId: idField('platform'),
    customerId: Type.Optional(idField('customer')),
    quote: QuoteSchema,
  }),
  async run(deps, input) {
    const { id, owner } = await placeOf(deps, input)
    return readInPlatform(deps, owner, async (work) => {
      const quoted = await readQuote(work, id)
      const { customerId } = quoted.transaction
      return {
        platformId: formatId('platform', work.platform.id),
        ...(customerId && { customerId: formatId('customer', customerId) }),
        quote: await showQuote(work, quoted),
      }
    })
  },
})

async function placeOf(deps: Deps, input: Input) {
  const resource = onlyArg(input, 'quoteId')
  const id = mustParseId('quote', resource)
  const owner = await visibleOwner(deps, findPlatformOfQuote(deps.db.read, id))
  return { id, resource, owner: owner ?? failNotFound('quote') }
}

const expire = defineCommand({
  name: 'quotes expire',
  access: { roles: ['TREASURER'], writes: true },
  about: 'End a quote that nobody has executed before its time, such as one at a wrong price.',
  takes: ['quoteId'],
  options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
  answers: record({ quoteId: idField('quote'), status: Type.String() }),
  async run(deps, input) {
    const { id, resource, owner } = await placeOf(deps, input)
    const platformId = formatId('platform', owner)
    const note = () => input.option('note')
    const entry = { platformId, action: 'quotes expire', resource, note }
    return inPlatform(deps, entry, async (work) => {
      if (!(await endQuote(work, id))) {
        const { status } = (await readQuote(work, id)).transaction
        fail('CONFLICT', { status: quoteStatusOf(status) })
      }
      return { quoteId: resource, status: 'EXPIRED' }
    })
  },
})

export const quoteCommands = { list: listQuotes, show, expire }
