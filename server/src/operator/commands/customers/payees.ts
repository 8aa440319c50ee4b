import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  accountToEvent,
  findPlatformOfAccount,
  listExternalAccounts,
  mustFindExternalAccount,
  type ExternalAccount,
  ExternalAccountSchema,
} from '../../../features/external-accounts/index.ts'
import { defineCommand, onlyArg, record, type Input } from '../../command.ts'
import { readInPlatform } from '../../in-platform.ts'
import { currencyIn, limitOf } from '../../queries/list-filters.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

const line = {
  externalAccountId: idField('externalAccount'),
  platformId: idField('platform'),
  customerId: Type.Optional(idField('customer')),
  accountType: Type.String(),
  currency: Type.String(),
  status: Type.String(),
  beneficiaryVerificationStatus: Type.Optional(Type.String()),
  createdAt: timestamp(),
}

type Owner = 'customers' | 'platform' | Readonly<{ customerId: Id<'customer'> }>

/** A line of a list: numbers and addresses are on the account's own page. */
const toLine = (account: ExternalAccount, platformId: Id<'platform'>) => ({
  externalAccountId: formatId('externalAccount', account.id),
  platformId: formatId('platform', platformId),
  ...(account.customerId && { customerId: formatId('customer', account.customerId) }),
  accountType: account.accountInfo.accountType,
  currency: account.currency,
  status: account.status,
  ...(account.beneficiaryVerificationStatus && {
    beneficiaryVerificationStatus: account.beneficiaryVerificationStatus,
  }),
  createdAt: toWireTime(account.createdAt),
})

async function placeBefore(work: Work, input: Input) {
  const before = input.option('before')
  if (before === undefined) return undefined
  const account = await mustFindExternalAccount(work, mustParseId('externalAccount', before))
  return { createdAt: toWireTime(account.createdAt), id: account.id }
}

function ownerOf(input: Input): Owner {
  const customer = input.option('customer')
  if (customer !== undefined) return { customerId: mustParseId('customer', customer) }
  return input.flag('own') ? 'platform' : 'customers'
}

const list = defineCommand({
  name: 'external-accounts list',
  access: { roles: ['VIEWER'] },
  about: 'External accounts of a platform, newest first, without their numbers.',
  options: {
    platform: { about: 'The platform.', value: 'ID', required: true },
    own: { about: 'The platform’s own, instead of those of its customers.', flag: true },
    currency: { about: 'Only in this currency.', value: 'CCY' },
    customer: { about: 'Only of this customer.', value: 'ID' },
    before: { about: 'Only those older than this account.', value: 'ID' },
    limit: { about: 'At most this many (default 50).', value: 'N' },
  },
  answers: Type.Array(record(line)),
  run(deps, input) {
    const [limit, currency] = [limitOf(input), currencyIn(input)]
    const id = mustParseId('platform', input.option('platform') ?? '')
    return readInPlatform(deps, id, async (work) => {
      const query = { limit, ...(currency !== undefined && { currency }) }
      const request = { owner: ownerOf(input), query, afterAccount: await placeBefore(work, input) }
      const { data } = await listExternalAccounts(work, request)
      return data.map((account) => toLine(account, id))
    })
  },
})

const show = defineCommand({
  name: 'external-accounts show',
  access: { roles: ['VIEWER'] },
  about: 'One external account, a government’s numbers masked.',
  takes: ['externalAccountId'],
  answers: record({ ...line, accountInfo: ExternalAccountSchema.properties.accountInfo }),
  async run(deps, input) {
    const id = mustParseId('externalAccount', onlyArg(input, 'externalAccountId'))
    const owner =
      (await visibleOwner(deps, findPlatformOfAccount(deps.db.read, id))) ??
      failNotFound('externalAccount')
    const account = await readInPlatform(deps, owner, (work) => mustFindExternalAccount(work, id))
    return { ...toLine(account, owner), accountInfo: accountToEvent(account).accountInfo }
  },
})

export const payeeCommands = { list, show }
