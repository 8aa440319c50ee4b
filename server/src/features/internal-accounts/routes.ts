import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listCustomerAccounts } from './record/list-customer-accounts.ts'
import {
  CustomerAccountsQuerySchema,
  InternalAccountListSchema,
  PlatformAccountsQuerySchema,
  PlatformInternalAccountListSchema,
} from './schema.ts'
import { listPlatformAccounts } from './record/store.ts'
import { toWire } from './record/wire.ts'

const tag = 'Internal Accounts'

export const routes: readonly Operation[] = [
  read({
    id: 'listCustomerInternalAccounts',
    path: '/customers/internal-accounts',
    tag,
    needs: 'VIEW',
    summary: "List customers' internal accounts",
    description:
      'Balances of customers with their funding instructions, newest first. All filters combine.',
    query: CustomerAccountsQuerySchema,
    replies: { 200: InternalAccountListSchema },
    errors: ['USER_NOT_FOUND'],
    handler: async ({ work, query }) => {
      const { data, ...page } = await listCustomerAccounts(work, query)
      return reply(200, { ...page, data: data.map((account) => toWire(account, account)) })
    },
  }),
  read({
    id: 'listPlatformInternalAccounts',
    path: '/platform/internal-accounts',
    tag,
    needs: 'VIEW',
    summary: "List the platform's own internal accounts",
    description:
      'Balances of the platform itself with their funding instructions; all in one page.',
    query: PlatformAccountsQuerySchema,
    replies: { 200: PlatformInternalAccountListSchema },
    handler: async ({ work, query: { currency, type } }) => {
      const { tx, platform } = work
      const accounts = await listPlatformAccounts(tx, platform.id, { currency, type })
      return reply(200, { data: accounts.map((account) => toWire(account, account)) })
    },
  }),
]
