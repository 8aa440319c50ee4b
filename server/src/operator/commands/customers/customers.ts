import { toWireTime } from '../../../kernel/clock.ts'
import { lastCharacters } from '../../../kernel/cut-text.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work.ts'
import { cardToWire, listCards } from '../../../features/cards/index.ts'
import {
  CUSTOMER_STATUSES,
  CUSTOMER_TYPES,
  displayName,
  findCustomer,
  listCustomersOfAll,
  maskedCustomerToWire,
  type OwnedCustomer,
} from '../../../features/customers/index.ts'
import {
  listExternalAccounts,
  type ExternalAccount,
} from '../../../features/external-accounts/index.ts'
import {
  internalAccountToWire,
  listCustomerAccounts,
} from '../../../features/internal-accounts/index.ts'
import { listedToWire, listTransactions } from '../../../features/transactions/index.ts'
import {
  findPlatformOfCustomer,
  listVerifications,
  verificationToWire,
} from '../../../features/verifications/index.ts'
import { onlyWord, oneOf, type Command, type Given } from '../../command.ts'
import { eventsNear } from '../../events-near.ts'
import { readInPlatform } from '../../in-platform.ts'
import { limitOf } from '../service/service.ts'

async function mustFind({ db }: Pick<Deps, 'db'>, text: string): Promise<OwnedCustomer> {
  const id = mustParseId('customer', text)
  const owner = (await findPlatformOfCustomer(db.read, id)) ?? failNotFound('customer')
  const place = { tx: db.read, platform: { id: owner } } as Pick<Work, 'tx' | 'platform'>
  const customer = (await findCustomer(place, id)) ?? failNotFound('customer')
  return { platformId: owner, customer }
}

async function placeBefore(deps: Deps, given: Given) {
  const before = given.text('before')
  if (before === undefined) return undefined
  const { customer } = await mustFind(deps, before)
  return { createdAt: customer.createdAt, id: customer.id }
}

const list: Command = {
  name: 'customers list',
  about: 'Customers of one platform or of all, newest first, without deleted ones.',
  options: {
    platform: { about: 'Only of this platform.', value: 'ID' },
    status: { about: `One of ${CUSTOMER_STATUSES.join(', ')}.`, value: 'NAME' },
    type: { about: 'INDIVIDUAL or BUSINESS.', value: 'NAME' },
    before: { about: 'Only those older than this customer.', value: 'ID' },
    limit: { about: 'At most this many (default 50).', value: 'N' },
  },
  async run(deps, given) {
    const platform = given.text('platform')
    const filters = {
      status: oneOf(given, 'status', CUSTOMER_STATUSES),
      customerType: oneOf(given, 'type', CUSTOMER_TYPES),
    }
    const found = await listCustomersOfAll(
      deps.db.read,
      platform === undefined ? undefined : mustParseId('platform', platform),
      { filters, after: await placeBefore(deps, given), limit: limitOf(given) },
    )
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
}

const LAST_SHOWN = 4

/** Whom it belongs to and how it ends, to tell it from others. */
function externalToShown(account: ExternalAccount): object {
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

const show: Command = {
  name: 'customers show',
  about:
    'A customer with verifications, accounts, cards, latest transactions and what the platform was told of it.',
  takes: ['customerId'],
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
      return {
        platformId: formatId('platform', platformId),
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
}

export const customerCommands: readonly Command[] = [list, show]
