/** Money that an order brought in, as a deposit of no owner that waits for the operator. */
import { formatId, newId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf, findOrder, type Order } from '../../../orders/index.ts'
import type { ArrivedMoney } from '../deposit.ts'
import { receiveDeposit } from '../receive-deposit.ts'

type Brought = Pick<ArrivedMoney, 'money'> &
  Readonly<{ depositId: string; report: Omit<ArrivedMoney['report'], 'trace' | 'reportedBy'> }>

export async function receiveFromOrder(
  work: Work,
  { providerId }: Order,
  { depositId, money, report }: Brought,
): Promise<void> {
  const arrived: ArrivedMoney = {
    id: newId('transaction'),
    environment: work.platform.environment,
    money,
    paidTo: null,
    report: { ...report, trace: depositId, reportedBy: providerId },
    source: { providerId, depositId, digest: digestOf({ depositId }) },
  }
  await receiveDeposit(work, arrived, { owner: undefined, isUnderReview: false })
}

/** What was pulled or collected for a payment that has failed meanwhile (PROV-70). */
export async function receiveCollected(
  work: Work,
  { orderId }: InternalEvents['payments.collectedLate'],
): Promise<void> {
  const order = await findOrder(work.tx, orderId)
  invariant(order?.money, 'What is collected is an order of money.')
  const { money, request, ownReference: reference } = order
  const report = { rail: String(request['rail']), sender: null, reference }
  await receiveFromOrder(work, order, { depositId: formatId('order', orderId), money, report })
}
