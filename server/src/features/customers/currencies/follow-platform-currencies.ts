import { Type } from 'typebox'
import type { Work } from '../../../infra/work.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Job } from '../../../infra/jobs/job-handler.ts'
import { displayName } from '../customer.ts'
import { appendCurrencies, hasFollowers } from './follower-store.ts'
import { awaitCurrencyHolders } from '../records/store.ts'

export const followCurrenciesJob = defineJob(
  'customers.followCurrencies',
  Type.Object({
    currencies: Type.Immutable(Type.Array(Type.String())),
    after: Type.Union([jobId('customer'), Type.Null()]),
  }),
)

/** One transaction's share: small enough to commit within a moment. */
const CUSTOMERS_AT_ONCE = 500

/**
 * The reaction to new currencies of the platform (CFG-10): customers without an explicit list get them too, by a job.
 * Customers that are just being made with the former list are waited for, so that the job finds them. Refuses nothing.
 */
export async function followPlatformCurrencies(
  work: Work,
  { currencies }: { currencies: readonly string[] },
): Promise<void> {
  const { tx, platform } = work
  await awaitCurrencyHolders(tx, platform.id)
  if (!(await hasFollowers(tx, platform.id))) return
  enqueue(work, followCurrenciesJob, { currencies, after: null })
}

/** The job: some customers in one transaction, the rest in the next. */
export async function appendToFollowers(
  work: Work,
  { payload: { currencies, after } }: Job<PayloadOf<typeof followCurrenciesJob>>,
): Promise<void> {
  const { tx, platform, now } = work
  const followers = await appendCurrencies(tx, platform.id, {
    currencies,
    after,
    limit: CUSTOMERS_AT_ONCE,
    now,
  })
  const gained = followers.filter(({ added }) => added.length > 0)
  if (gained.length > 0) {
    await work.react('customers.currenciesAdded', {
      customers: gained.map(({ customer, added }) => ({
        customerId: customer.id,
        name: displayName(customer),
        email: customer.email,
        currencies: added,
      })),
    })
  }
  const last = followers.at(-1)
  if (last && followers.length === CUSTOMERS_AT_ONCE) {
    enqueue(work, followCurrenciesJob, { currencies, after: last.customer.id })
  }
}
