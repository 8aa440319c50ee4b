/** Operations of an agent on its customer's accounts and transactions, as far as its policy allows. */
import { Type } from '../../../infra/http/schema/type.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { read, write, type Operation } from '../../../infra/http/operation.ts'
import { noContent, reply } from '../../../infra/http/reply.ts'
import { pageQuery, pathId } from '../../../infra/http/schema/wire-schema.ts'
import {
  accountToWire,
  checkNewAccount,
  checkNewAccountOf,
  createdReply,
  createExternalAccount,
  deleteExternalAccount,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountSchema,
  listExternalAccounts,
  mustFindExternalAccount,
  PlatformExternalAccountsQuery,
} from '../../external-accounts/index.ts'
import {
  internalAccountToWire,
  InternalAccountListSchema,
  listCustomerAccounts,
  PlatformAccountsQuerySchema,
} from '../../internal-accounts/index.ts'
import {
  checkRange,
  listedToWire,
  listTransactions,
  TransactionListSchema,
  TransactionQuerySchema,
  TransactionSchema,
} from '../../transactions/index.ts'
import { mustFindOwnAgent, mustFindOwnWriter } from '../record/find-agent.ts'
import { allowedAccounts, mustFindOwnTransaction, transactionReach } from './reach.ts'

const tag = 'Agent Operations'
const {
  customerId: _customer,
  platformCustomerId: _own,
  cardId: _card,
  ...ownTransactionQuery
} = TransactionQuerySchema.properties

const externalAccountParams = Type.Object({
  externalAccountId: pathId('Id of the external account, `ExternalAccount:<uuid>`.'),
})

/** The agent's customer is the default owner of an account (ACT-14). Accepts unvalidated input. */
const withCustomer = (body: unknown, customerId: string): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { customerId, ...body } : body

export const ownAccountRoutes: readonly Operation[] = [
  read({
    id: 'agentListInternalAccounts',
    path: '/agents/me/internal-accounts',
    tag,
    needs: 'AGENT',
    agentPermission: 'VIEW_TRANSACTIONS',
    summary: 'List the internal accounts that the agent may use',
    description: 'With balances, as far as its policy allows.',
    query: Type.Object({ ...PlatformAccountsQuerySchema.properties, ...pageQuery }),
    replies: { 200: InternalAccountListSchema },
    handler: async ({ work, query }) => {
      const agent = await mustFindOwnAgent(work)
      const customerId = formatId('customer', agent.customerId)
      const filters = { ...query, customerId }
      const { data, ...page } = await listCustomerAccounts(work, filters, allowedAccounts(agent))
      const shown = data.map((account) => internalAccountToWire(account, account))
      return reply(200, { ...page, data: shown })
    },
  }),
  read({
    id: 'agentListTransactions',
    path: '/agents/me/transactions',
    tag,
    needs: 'AGENT',
    agentPermission: 'VIEW_TRANSACTIONS',
    summary: 'List transactions that touch such an account',
    description: 'Newest first; only accounts that the policy allows.',
    query: Type.Object(ownTransactionQuery),
    replies: { 200: TransactionListSchema },
    check: ({ query }) => checkRange(query as Record<string, unknown>),
    handler: async ({ work, query }) => {
      const reach = await transactionReach(work, await mustFindOwnAgent(work))
      const { data, ...page } = await listTransactions(work, query, reach)
      const shown = data.map((row) => listedToWire(work.platform.id, row))
      return reply(200, { ...page, data: shown })
    },
  }),
  read({
    id: 'agentGetTransaction',
    path: '/agents/me/transactions/{transactionId}',
    tag,
    needs: 'AGENT',
    agentPermission: 'VIEW_TRANSACTIONS',
    summary: 'Read such a transaction',
    description: 'Of an account that the policy allows.',
    params: Type.Object({ transactionId: pathId('Id of the transaction, `Transaction:<uuid>`.') }),
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const agent = await mustFindOwnAgent(work)
      return reply(200, await mustFindOwnTransaction(work, agent, params.transactionId))
    },
  }),
  read({
    id: 'agentListExternalAccounts',
    path: '/agents/me/external-accounts',
    tag,
    needs: 'AGENT',
    agentPermission: 'MANAGE_EXTERNAL_ACCOUNTS',
    summary: 'List the customer’s external accounts',
    description: 'Payees of its customer, newest first.',
    query: PlatformExternalAccountsQuery,
    replies: { 200: ExternalAccountListResponse },
    handler: async ({ work, query }) => {
      const { customerId } = await mustFindOwnAgent(work)
      const page = await listExternalAccounts(work, { owner: { customerId }, query })
      return reply(200, { ...page, data: page.data.map(accountToWire) })
    },
  }),
  write({
    id: 'agentCreateExternalAccount',
    method: 'POST',
    path: '/agents/me/external-accounts',
    tag,
    needs: 'AGENT',
    agentPermission: 'MANAGE_EXTERNAL_ACCOUNTS',
    summary: 'Create an external account of the customer',
    description:
      'A payee for its customer. For some time payments to it need approval, as the policy says.',
    body: ExternalAccountCreateRequest,
    example: {
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: '123456789',
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
      },
    },
    replies: { 201: ExternalAccountSchema },
    errors: ['INVALID_BANK_ACCOUNT', 'USER_NOT_FOUND', 'CONFLICT'],
    sealStoredReply: true,
    check: ({ body }, where) => {
      const { actor } = where
      const own = actor.kind === 'agent' ? formatId('customer', actor.customerId) : ''
      return checkNewAccount({ body: withCustomer(body, own), owner: 'customer' }, where)
    },
    checkStored: ({ body }, where) => checkNewAccountOf({ body, owner: 'customer' }, where),
    handler: async ({ work, body }) => {
      const agent = await mustFindOwnWriter(work, 'MANAGE_EXTERNAL_ACCOUNTS')
      const own = formatId('customer', agent.customerId)
      if (body.customerId !== undefined && body.customerId !== own) failNotFound('customer')
      const request = { body: withCustomer(body, own), owner: 'customer' } as const
      return createdReply(work, await createExternalAccount(work, request))
    },
  }),
  read({
    id: 'agentGetExternalAccount',
    path: '/agents/me/external-accounts/{externalAccountId}',
    tag,
    needs: 'AGENT',
    agentPermission: 'MANAGE_EXTERNAL_ACCOUNTS',
    summary: 'Read an external account of the customer',
    description: 'Details and status of a payee of its customer.',
    params: externalAccountParams,
    replies: { 200: ExternalAccountSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { externalAccountId } }) => {
      const { customerId } = await mustFindOwnAgent(work)
      const id = mustParseId('externalAccount', externalAccountId)
      return reply(200, accountToWire(await mustFindExternalAccount(work, id, { customerId })))
    },
  }),
  write({
    id: 'agentDeleteExternalAccount',
    method: 'DELETE',
    path: '/agents/me/external-accounts/{externalAccountId}',
    tag,
    needs: 'AGENT',
    agentPermission: 'MANAGE_EXTERNAL_ACCOUNTS',
    summary: 'Delete an external account of the customer',
    description: 'Payments under way go on.',
    params: externalAccountParams,
    replies: { 204: null },
    errors: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'BENEFICIARY_TRUSTED'],
    handler: async ({ work, params: { externalAccountId } }) => {
      const { customerId } = await mustFindOwnWriter(work, 'MANAGE_EXTERNAL_ACCOUNTS')
      await deleteExternalAccount(work, mustParseId('externalAccount', externalAccountId), {
        customerId,
      })
      return noContent()
    },
  }),
]
