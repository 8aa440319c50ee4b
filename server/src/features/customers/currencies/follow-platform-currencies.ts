import { Type } from '../../../infra/http/schema/type.ts'
import type { Work } from '../../../infra/work/work.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Job } from '../../../infra/jobs/job-handler.ts'
import { displayName } from '../customer.ts'
import { appendCurrencies, hasFollowers } from './follower-store.ts'
import { lockCurrencyList } from '../records/store.ts'

export const followCurrenciesJob = defineJob(
  'customers.followCurrencies',
  Type.Object({
    currencies: Type.Immutable(Type.Array(Type.String())),
    after: Type.Union([jobId('customer'), Type.Null()]),
  }),
)

/** Small enough for a short transaction. */
const CUSTOMERS_AT_ONCE = 500

/**
 * The reaction to new currencies of the platform: a job gives them to customers without an explicit list (CFG-10).
 * Waits for creations that read the former list, so that the job finds those customers. Refuses nothing.
 */
export async function followPlatformCurrencies(
  work: Work,
  { currencies }: { currencies: readonly string[] },
): Promise<void> {
  const { tx, platform } = work
  await lockCurrencyList(tx, platform.id)
  if (!(await hasFollowers(tx, platform.id))) return
  enqueue(work, followCurrenciesJob, { currencies, after: null })
}

/** The job: appends to one batch of customers and enqueues the next. */
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
