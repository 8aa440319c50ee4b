import type { Work } from '../../../infra/work.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Job } from '../../../infra/jobs/job-handler.ts'
import type { Id } from '../../../kernel/ids.ts'
import { displayName } from '../customer.ts'
import { appendCurrencies, hasFollowers } from './follower-store.ts'
import { awaitCurrencyHolders } from '../records/store.ts'

export const FOLLOW_CURRENCIES_JOB = 'customers.followCurrencies'

/** One transaction's share: small enough to commit within a moment. */
const CUSTOMERS_AT_ONCE = 500

type FollowPayload = Readonly<{ currencies: readonly string[]; after: Id<'customer'> | null }>

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
  const payload: FollowPayload = { currencies, after: null }
  enqueue(work, FOLLOW_CURRENCIES_JOB, { payload })
}

/** The job: some customers in one transaction, the rest in the next. */
export async function appendToFollowers(work: Work, { payload }: Job): Promise<void> {
  const { tx, platform, now } = work
  const { currencies, after } = payload as FollowPayload
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
    const rest: FollowPayload = { currencies, after: last.customer.id }
    enqueue(work, FOLLOW_CURRENCIES_JOB, { payload: rest })
  }
}
