import { fail } from '../../../kernel/errors.ts'
import { mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { AlertBody } from '../../../providers/http/messages/pushes.ts'
import { mustFindOwner } from '../../beneficial-owners/index.ts'
import { findCustomer } from '../../customers/index.ts'
import type { Inbound, ItemResult } from '../../providers/index.ts'
import { restrictCustomer } from '../restrict-customer.ts'
import { findPlatformOfSubject, insertAlert } from './store.ts'

/** Takes one alert about a customer or an owner, once per `alertId` (PROV-96). Fails: REFERENCE_NOT_FOUND. */
export async function takeAlert(inbound: Inbound, alert: AlertBody): Promise<ItemResult> {
  const { deps, provider, inPlatform } = inbound
  const { subject, kind } = alert
  const platformId = await findPlatformOfSubject(deps.db.read, subject)
  const isServed = platformId && (provider.platformIds?.includes(platformId) ?? true)
  if (!isServed) return fail('REFERENCE_NOT_FOUND')
  return inPlatform(platformId, async (work) => {
    const customerId = await customerOf(work, subject)
    if (!(await insertAlert(work, provider.id, alert))) return { result: 'DUPLICATE' }
    // A paper that has expired is asked for again; nobody is stopped for it.
    const isOnlyShown = kind === 'DOCUMENT_EXPIRED' && alert.level === 'REVIEW'
    const level = isOnlyShown ? 'INFO' : alert.level
    const reason = `ALERT_${kind}`
    await restrictCustomer(work, { customerId, subject, reason, level, isAlert: true })
    return { result: 'APPLIED' }
  })
}

/** The customer itself, or the business of an owner. A deleted one is nobody. */
async function customerOf(work: Work, subject: string): Promise<Id<'customer'>> {
  const ownerId = parseId('beneficialOwner', subject)
  const id = ownerId
    ? (await mustFindOwner(work, ownerId)).customerId
    : mustParseId('customer', subject)
  const customer = await findCustomer(work, id)
  return customer?.isDeleted === false ? id : fail('REFERENCE_NOT_FOUND')
}
