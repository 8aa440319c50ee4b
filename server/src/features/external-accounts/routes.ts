import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { challengeRoute, deleteRoute, readRoute, verifyRoute } from './account-routes.ts'
import type { NewAccountRequest } from './validation/new-account.ts'
import { checkNewAccount, checkNewAccountOf } from './validation/new-account.ts'
import { createExternalAccount } from './records/create-external-account.ts'
import type { AccountsRequest } from './records/list-external-accounts.ts'
import { listExternalAccounts } from './records/list-external-accounts.ts'
import {
  CustomerExternalAccountsQuery,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountSchema,
  PlatformExternalAccountCreateRequest,
  PlatformExternalAccountsQuery,
} from './schema.ts'
import { createdReply } from './records/created-reply.ts'
import { accountToWire } from './wire.ts'

const tag = 'External Accounts'
const CUSTOMERS = { base: '/customers/external-accounts', reach: 'all' } as const
const PLATFORM = { base: '/platform/external-accounts', reach: 'platform' } as const

const EXAMPLE = {
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  },
}

const created = {
  needs: 'MANAGE',
  example: EXAMPLE,
  replies: { 201: ExternalAccountSchema },
  // The answer may contain a tax or document number, which is not stored in the clear.
  sealStoredReply: true,
} as const

export const routes: readonly Operation[] = [
  write({
    id: 'createCustomerExternalAccount',
    method: 'POST',
    path: CUSTOMERS.base,
    tag,
    summary: 'Create an external account',
    description:
      'Of the customer or, without `customerId`, of the platform. In a sandbox without strict identifiers the header `Validation-Warnings` names the fields that would be refused in production.',
    ...created,
    body: ExternalAccountCreateRequest,
    errors: ['INVALID_BANK_ACCOUNT', 'USER_NOT_FOUND', 'CONFLICT'],
    check: ({ body }, where) => checkNewAccount({ body, owner: 'customer' }, where),
    checkStored: ({ body }, where) => checkNewAccountOf({ body, owner: 'customer' }, where),
    handler: ({ work, body }) => create(work, { body, owner: 'customer' }),
  }),
  read({
    id: 'listCustomerExternalAccounts',
    path: CUSTOMERS.base,
    tag,
    needs: 'VIEW',
    summary: "List customers' external accounts",
    description: 'Bank accounts and wallets of customers, newest first. All filters combine.',
    query: CustomerExternalAccountsQuery,
    replies: { 200: ExternalAccountListResponse },
    errors: ['USER_NOT_FOUND'],
    handler: ({ work, query }) => {
      const { customerId } = query
      const owner = customerId && { customerId: mustParseId('customer', customerId) }
      return list(work, { owner: owner || 'customers', query })
    },
  }),
  readRoute('getCustomerExternalAccountById', CUSTOMERS),
  deleteRoute('deleteCustomerExternalAccountById', CUSTOMERS),
  challengeRoute('createExternalAccountOwnershipChallenge', CUSTOMERS),
  verifyRoute('verifyExternalAccountOwnership', CUSTOMERS),
  write({
    id: 'createPlatformExternalAccount',
    method: 'POST',
    path: PLATFORM.base,
    tag,
    summary: 'Create an external account of the platform',
    description: 'An account that the platform itself pays, or pulls from.',
    ...created,
    body: PlatformExternalAccountCreateRequest,
    errors: ['INVALID_BANK_ACCOUNT', 'CONFLICT'],
    check: ({ body }, where) => checkNewAccount({ body, owner: 'platform' }, where),
    handler: ({ work, body }) => create(work, { body, owner: 'platform' }),
  }),
  read({
    id: 'listPlatformExternalAccounts',
    path: PLATFORM.base,
    tag,
    needs: 'VIEW',
    summary: "List the platform's own external accounts",
    description: 'Bank accounts and wallets of the platform itself, newest first.',
    query: PlatformExternalAccountsQuery,
    replies: { 200: ExternalAccountListResponse },
    handler: ({ work, query }) => list(work, { owner: 'platform', query }),
  }),
  readRoute('getPlatformExternalAccountById', PLATFORM),
  deleteRoute('deletePlatformExternalAccountById', PLATFORM),
  challengeRoute('createPlatformExternalAccountOwnershipChallenge', PLATFORM),
  verifyRoute('verifyPlatformExternalAccountOwnership', PLATFORM),
]

const create = async (work: Work, request: NewAccountRequest) =>
  createdReply(work, await createExternalAccount(work, request))

async function list(work: Work, request: AccountsRequest) {
  const page = await listExternalAccounts(work, request)
  return reply(200, { ...page, data: page.data.map(accountToWire) })
}
