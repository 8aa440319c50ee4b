import type {
  EventRecord,
  InternalAccount,
  WebhookEventOf,
  WebhookType,
} from '../../../sdk/src/index.ts'
import { expectStatus, type HasId, type Shown } from './api.ts'
import type { TestPlatform } from './florin.ts'

/** A business that any platform takes. */
export const BUSINESS = {
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'Acme Inc.',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2001-02-03',
  },
} as const

export const ADDRESS = { line1: '1 Main St', postalCode: '94105', country: 'US' } as const

/** Creates a customer, an individual unless the body says otherwise. */
export async function createCustomer({ api }: TestPlatform, body: object = {}) {
  return expectStatus(await api.post('/customers', { customerType: 'INDIVIDUAL', ...body }), 201)
}

export async function readCustomer({ api }: TestPlatform, { id }: HasId) {
  return expectStatus(await api.get(`/customers/${id}`), 200)
}

/** The platform's events so far, newest first, of one type where it is given. */
export async function listEvents<T extends WebhookType>(
  { api }: Pick<TestPlatform, 'api'>,
  type?: T,
) {
  const answer = await api.get('/events', { query: { type, limit: 100 } })
  return expectStatus(answer, 200).data as readonly ListedEvent<T>[]
}

type ListedEvent<T extends WebhookType> = Shown<
  Omit<EventRecord, 'data'> & Pick<WebhookEventOf<T>, 'data'>
>

export async function listAccounts({ api }: TestPlatform, { id }: HasId) {
  const query = { customerId: id, limit: 100 }
  const answer = await api.get('/customers/internal-accounts', { query })
  return expectStatus(answer, 200).data
}

export const currencyOf = (account: Pick<Shown<InternalAccount>, 'balance'>): string =>
  account.balance.currency.code
