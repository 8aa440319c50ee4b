import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { lastCharacters } from '../../../kernel/text/cut-text.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { CardSchema, cardToWire, listCards } from '../../../features/cards/index.ts'
import { CustomerSchema, maskedCustomerToWire } from '../../../features/customers/index.ts'
import {
  listExternalAccounts,
  type ExternalAccount,
} from '../../../features/external-accounts/index.ts'
import {
  InternalAccountSchema,
  internalAccountToWire,
  listCustomerAccounts,
} from '../../../features/internal-accounts/index.ts'
import {
  listedToWire,
  listTransactions,
  TransactionSchema,
} from '../../../features/transactions/index.ts'
import {
  listVerifications,
  VerificationSchema,
  verificationToWire,
} from '../../../features/verifications/index.ts'
import { defineCommand, onlyArg, record } from '../../command.ts'
import { EventNearSchema, eventsNear } from '../../queries/events-near.ts'
import { readInPlatform } from '../../in-platform.ts'
import { findLegalHold } from '../../retention/retention-store.ts'
import { listCustomers, mustFindCustomer } from '../lists/list-customers.ts'

const ShownSchema = record({
  platformId: idField('platform'),
  legalHoldSince: Type.Optional(timestamp()),
  customer: CustomerSchema,
  verifications: Type.Array(VerificationSchema),
  internalAccounts: Type.Array(InternalAccountSchema),
  externalAccounts: Type.Array(
    record({
      id: idField('externalAccount'),
      accountType: Type.String(),
      currency: Type.String(),
      status: Type.String(),
      ownershipType: Type.Optional(Type.String()),
      beneficiaryName: Type.Optional(Type.String()),
      endsWith: Type.String(),
      createdAt: timestamp(),
    }),
  ),
  cards: Type.Array(CardSchema),
  transactions: Type.Array(TransactionSchema),
  events: Type.Array(EventNearSchema),
})

const LAST_SHOWN = 4

/** Whom it belongs to and how it ends, to tell it from others. */
function externalToShown(account: ExternalAccount) {
  const { accountInfo, identifiedBy, ownershipType } = account
  const beneficiary = accountInfo['beneficiary'] as Readonly<Record<string, unknown>> | undefined
  const name =
    accountInfo['accountHolderName'] ?? beneficiary?.['fullName'] ?? beneficiary?.['legalName']
  return {
    id: formatId('externalAccount', account.id),
    accountType: account.accountType,
    currency: account.currency,
    status: account.status,
    ...(ownershipType && { ownershipType }),
    ...(typeof name === 'string' && { beneficiaryName: name }),
    endsWith: lastCharacters(String(accountInfo[identifiedBy] ?? ''), LAST_SHOWN),
    createdAt: toWireTime(account.createdAt),
  }
}

const MANY = 50
const LATEST = 10

async function belongingsOf(work: Work, id: Id<'customer'>) {
  const customerId = formatId('customer', id)
  const [verifications, internal, external, cards, transactions] = await Promise.all([
    listVerifications(work, { customerId, limit: LATEST }),
    listCustomerAccounts(work, { customerId, limit: MANY }),
    listExternalAccounts(work, { owner: { customerId: id }, query: { limit: MANY } }),
    listCards(work, { customerId, limit: MANY }),
    listTransactions(work, { customerId, limit: LATEST }),
  ])
  return {
    verifications: verifications.data,
    internalAccounts: internal.data,
    externalAccounts: external.data,
    cards: cards.data,
    transactions: transactions.data,
  }
}

const show = defineCommand({
  name: 'customers show',
  access: { roles: ['VIEWER'] },
  about:
    'A customer with verifications, accounts, cards, latest transactions and what the platform was told of it.',
  takes: ['customerId'],
  answers: ShownSchema,
  async run(deps, input) {
    const { platformId, customer } = await mustFindCustomer(deps, onlyArg(input, 'customerId'))
    return readInPlatform(deps, platformId, async (work) => {
      const own = await belongingsOf(work, customer.id)
      const verifications = own.verifications.map(verificationToWire)
      const events = await eventsNear(work, {
        resourceIds: [formatId('customer', customer.id), ...verifications.map(({ id }) => id)],
        ids: [customer.id, ...own.verifications.map(({ id }) => id)],
        times: [customer.updatedAt, ...own.verifications.map(({ updatedAt }) => updatedAt)],
      })
      const heldSince = await findLegalHold(work.tx, { platformId, customerId: customer.id })
      return {
        platformId: formatId('platform', platformId),
        ...(heldSince && { legalHoldSince: toWireTime(heldSince) }),
        // A government's numbers are a review's to show.
        customer: maskedCustomerToWire(work.keyring, customer),
        verifications,
        internalAccounts: own.internalAccounts.map((one) => internalAccountToWire(one, one)),
        externalAccounts: own.externalAccounts.map(externalToShown),
        cards: own.cards.map(cardToWire),
        transactions: own.transactions.map((one) => listedToWire(platformId, one)),
        events,
      }
    })
  },
})

export const customerCommands = { list: listCustomers, show }
