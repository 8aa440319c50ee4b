import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { lastCharacters } from '../../../kernel/text/cut-text.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { CardSchema, cardToWire, listCards } from '../../../features/cards/index.ts'
import {
  CUSTOMER_STATUSES,
  CUSTOMER_TYPES,
  CustomerSchema,
  displayName,
  findCustomer,
  listCustomersOfAll,
  listErasableCustomers,
  maskedCustomerToWire,
  type OwnedCustomer,
} from '../../../features/customers/index.ts'
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
  findPlatformOfCustomer,
  listVerifications,
  VerificationSchema,
  verificationToWire,
} from '../../../features/verifications/index.ts'
import { choiceOf, defineCommand, onlyWord, record, type Given } from '../../command.ts'
import { EventNearSchema, eventsNear } from '../../queries/events-near.ts'
import { readInPlatform } from '../../in-platform.ts'
import { findLegalHold } from '../../retention/retention-store.ts'
import { limitOf } from '../service/service.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'

const LineSchema = record({
  customerId: idField('customer'),
  platformId: idField('platform'),
  customerName: Type.String(),
  customerType: oneOf(CUSTOMER_TYPES),
  status: oneOf(CUSTOMER_STATUSES),
  platformCustomerId: Type.String(),
  region: Type.Optional(Type.String()),
  createdAt: timestamp(),
})

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

async function mustFind(deps: Pick<Deps, 'db' | 'operator'>, text: string): Promise<OwnedCustomer> {
  const id = mustParseId('customer', text)
  const owner =
    (await visibleOwner(deps, findPlatformOfCustomer(deps.db.read, id))) ?? failNotFound('customer')
  const place = { tx: deps.db.read, platform: { id: owner } } as Pick<Work, 'tx' | 'platform'>
  const customer = (await findCustomer(place, id)) ?? failNotFound('customer')
  return { platformId: owner, customer }
}

async function placeBefore(deps: Deps, given: Given) {
  const before = given.text('before')
  if (before === undefined) return undefined
  const { customer } = await mustFind(deps, before)
  return { createdAt: customer.createdAt, id: customer.id }
}

async function listLiving(deps: Deps, given: Given): Promise<OwnedCustomer[]> {
  const filters = {
    status: choiceOf(given, 'status', CUSTOMER_STATUSES),
    customerType: choiceOf(given, 'type', CUSTOMER_TYPES),
  }
  const after = await placeBefore(deps, given)
  return listCustomersOfAll(deps.db.read, shownPlatforms(deps, given), {
    filters,
    after,
    limit: limitOf(given),
  })
}

const listErasable = (deps: Deps, given: Given): Promise<OwnedCustomer[]> =>
  listErasableCustomers(deps.db.read, {
    platformIds: shownPlatforms(deps, given),
    now: deps.clock.now(),
    years: deps.settings.retentionCustomerYears,
    limit: limitOf(given),
  })

const list = defineCommand({
  name: 'customers list',
  access: { roles: ['VIEWER'] },
  about: 'Customers of one platform or of all, newest first, without deleted ones.',
  options: {
    platform: { about: 'Only of this platform.', value: 'ID' },
    status: { about: `One of ${CUSTOMER_STATUSES.join(', ')}.`, value: 'NAME' },
    type: { about: 'INDIVIDUAL or BUSINESS.', value: 'NAME' },
    before: { about: 'Only those older than this customer.', value: 'ID' },
    erasable: {
      about: 'Instead those deleted or rejected whose data may be erased, longest first.',
      flag: true,
    },
    limit: { about: 'At most this many (default 50).', value: 'N' },
  },
  answers: Type.Array(LineSchema),
  async run(deps, given) {
    const found = await (given.flag('erasable')
      ? listErasable(deps, given)
      : listLiving(deps, given))
    return found.map(({ platformId, customer }) => ({
      customerId: formatId('customer', customer.id),
      platformId: formatId('platform', platformId),
      customerName: displayName(customer),
      customerType: customer.customerType,
      status: customer.status,
      platformCustomerId: customer.platformCustomerId,
      region: customer.region,
      createdAt: toWireTime(customer.createdAt),
    }))
  },
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
  async run(deps, given) {
    const { platformId, customer } = await mustFind(deps, onlyWord(given, 'customerId'))
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

export const customerCommands = { list, show }
