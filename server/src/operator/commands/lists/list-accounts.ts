import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  findAccount,
  listAccountsOfCustomers,
  listPlatformAccounts,
  type AccountWithBalances,
} from '../../../features/internal-accounts/lists.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, record, type Input } from '../../command.ts'
import { currencyIn, limitOf } from '../../queries/list-filters.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'

export const line = {
  internalAccountId: idField('internalAccount'),
  platformId: idField('platform'),
  customerId: Type.Optional(idField('customer')),
  currency: Type.String(),
  type: Type.String(),
  status: Type.String(),
  available: Type.Integer(),
  held: Type.Integer(),
  createdAt: timestamp(),
}

export const shownAccount = (account: AccountWithBalances, platformId: Id<'platform'>) => ({
  internalAccountId: formatId('internalAccount', account.id),
  platformId: formatId('platform', platformId),
  ...(account.customerId !== null && { customerId: formatId('customer', account.customerId) }),
  currency: account.currency,
  type: account.type,
  status: account.status,
  available: amountToWire(account.available),
  held: amountToWire(account.held),
  createdAt: toWireTime(account.createdAt),
})

export async function mustFindAccount(deps: Pick<Deps, 'db' | 'operator'>, text: string) {
  const id = mustParseId('internalAccount', text)
  const platformId = await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, id))
  const account = platformId && (await findAccount(deps.db.read, platformId, id))
  return account ? { platformId, account } : failNotFound('internalAccount')
}

async function placeBefore(deps: Deps, input: Input) {
  const before = input.option('before')
  if (before === undefined) return undefined
  const { account } = await mustFindAccount(deps, before)
  return { createdAt: toWireTime(account.createdAt), id: account.id }
}

export const listAccounts = defineCommand({
  name: 'accounts list',
  access: { roles: ['VIEWER'] },
  about: 'Internal accounts of a platform with their balances, newest first.',
  options: {
    platform: { about: 'The platform.', value: 'ID', required: true },
    own: { about: 'The platform’s own, instead of those of its customers.', flag: true },
    currency: { about: 'Only in this currency.', value: 'CCY' },
    customer: { about: 'Only of this customer, a deleted one too.', value: 'ID' },
    before: { about: 'Only those older than this account.', value: 'ID' },
    limit: { about: 'At most this many (default 50).', value: 'N' },
  },
  answers: Type.Array(record(line)),
  async run(deps, input) {
    const platformId = mustParseId('platform', input.option('platform') ?? '')
    const customer = input.option('customer')
    const filters = { currency: currencyIn(input), type: undefined }
    const after = await placeBefore(deps, input)
    const accounts = input.flag('own')
      ? await listPlatformAccounts(deps.db.read, platformId, filters)
      : await listAccountsOfCustomers(deps.db.read, platformId, {
          filters: {
            ...filters,
            customerId: customer === undefined ? undefined : mustParseId('customer', customer),
            allowed: undefined,
          },
          after,
          fetch: limitOf(input),
        })
    return accounts.map((account) => shownAccount(account, platformId))
  },
})
