import { Type } from '../../../infra/http/schema/type.ts'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import type { PartlyReturned } from '../../../ledger/recipes/payments.ts'
import type { Ports } from '../../../kernel/ports.ts'
import { oneOf } from '../../../infra/http/schema/wire-schema.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ReceivingSide } from '../../payment-terms/index.ts'
import type { RailLeg, RailOrder } from '../../../providers/rails/rails.ts'
import {
  quotePayout,
  quotePull,
  transferIn,
  transferOut,
  type CollectionStep,
  type PayoutStep,
  type PullStep,
} from '../../../providers/rails/sandbox-outcomes.ts'

/** What may happen to a payment out once it was accepted. */
export type PaymentStep =
  | (PayoutStep & { returned?: PartlyReturned })
  | PullStep
  | HandOverStep
  | OrderStep

/** A payment to a UMA address whose money is here: from now on it is somebody else's to report on. */
export type HandOverStep = Readonly<{ afterSeconds: number; event: 'handOver' }>

/** A leg is left to a provider outside, whose reports say what becomes of it. */
export type OrderStep = Readonly<{ afterSeconds: number; event: 'order'; leg: 'PULL' | 'PAYOUT' }>

const HANDED_OVER: HandOverStep = { afterSeconds: 0, event: 'handOver' }
const ordered = (leg: OrderStep['leg']): OrderStep => ({ afterSeconds: 0, event: 'order', leg })

/** The uma feature, which finds the receiver behind the address, handles it. */
export const handOverJob = defineJob(
  'uma.handOver',
  Type.Object({ transactionId: jobId('transaction') }),
)

type Asked = Readonly<{ ports: Ports; order: RailOrder }>

/** Whether the first leg is over when these steps are, so that the next may begin. */
const isPulled = (steps: readonly PaymentStep[]): boolean =>
  steps.some(({ event }) => event === 'pull')

/** What the provider of the pull reports by itself. The operator says it by hand, a provider outside in reports. */
function stepsOfPull({ ports, order: { pull } }: Asked): readonly PaymentStep[] {
  if (!pull) return []
  const kind = ports.providerOf(pull.query)?.kind
  if (kind === 'http') return [ordered('PULL')]
  return kind === 'sandbox' ? quotePull(pull.paymentSuffix ?? undefined) : []
}

function stepsOfPayout({ ports, order: { kind, payout } }: Asked): readonly PaymentStep[] {
  if (!payout) return [{ afterSeconds: 0, event: 'complete' }]
  const provider = ports.providerOf(payout.query)?.kind
  if (provider === 'http') return [ordered('PAYOUT')]
  if (provider !== 'sandbox') return []
  const suffix = payout.paymentSuffix ?? undefined
  return kind === 'quote' ? quotePayout(suffix) : transferOut(suffix)
}

/** What will become of a payment by itself. What stays inside needs no rail and is delivered at once. */
export const stepsOf = (asked: Asked): readonly PaymentStep[] => pulledThen(asked, stepsOfPayout)

/** To a UMA address: handed over once the money is here; a pull by hand, when the operator says that it is done. */
const stepsToUma = (asked: Asked): readonly PaymentStep[] => pulledThen(asked, () => [HANDED_OVER])

/** The steps of a payment, by where it goes. */
export const planOf = (
  { kind }: Pick<ReceivingSide, 'kind'>,
  asked: Asked,
): readonly PaymentStep[] => (kind === 'uma' ? stepsToUma(asked) : stepsOf(asked))

function pulledThen(
  asked: Asked,
  next: (asked: Asked) => readonly PaymentStep[],
): readonly PaymentStep[] {
  const pull = stepsOfPull(asked)
  const isOver = !asked.order.pull || isPulled(pull)
  return isOver ? [...pull, ...next(asked)] : pull
}

/** What the rail reports by itself of a transfer-in, where it does. */
export const stepsOfCollection = (
  ports: Ports,
  { query, paymentSuffix }: RailLeg,
): readonly CollectionStep[] =>
  ports.providerOf(query)?.kind === 'sandbox' ? transferIn(paymentSuffix ?? undefined) : []

/** The steps that happen at the same time as the first, and those that come later. */
export function splitSteps<S extends Readonly<{ afterSeconds: number }>>(
  steps: readonly S[],
): Readonly<{ due: readonly S[]; later: readonly S[] }> {
  const [first] = steps
  const isDue = ({ afterSeconds }: S): boolean => afterSeconds === first?.afterSeconds
  return { due: steps.filter(isDue), later: steps.filter((step) => !isDue(step)) }
}

const afterSeconds = Type.Number()
const refund = Type.Object({ reason: Type.String(), ends: oneOf(['COMPLETED', 'FAILED']) })

/** Of a payment out or of a transfer-in, as the transaction is. */
const step = Type.Unsafe<PaymentStep | CollectionStep>(
  Type.Union([
    Type.Object({ afterSeconds, event: oneOf(['process', 'complete', 'pull', 'handOver']) }),
    Type.Object({ afterSeconds, event: oneOf(['order']), leg: oneOf(['PULL', 'PAYOUT']) }),
    Type.Object({
      afterSeconds,
      event: oneOf(['fail', 'return']),
      reason: Type.String(),
      refund: Type.Optional(refund),
    }),
  ]),
)

export const settleTransactionJob = defineJob(
  'transactions.settle',
  Type.Object({
    transactionId: jobId('transaction'),
    steps: Type.Immutable(Type.Array(step)),
  }),
)

export type SettleJob = PayloadOf<typeof settleTransactionJob>

/** Leaves steps, timed from `takenAt`, to a job; the first of them decides when it is due. */
export function enqueueSteps(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { transactionId, steps, takenAt }: SettleJob & Readonly<{ takenAt: Date }>,
): void {
  const [first] = steps
  if (!first) return
  const dueAt = addMs(takenAt, first.afterSeconds * SECOND_MS)
  enqueue(work, settleTransactionJob, { transactionId, steps }, { dueAt, key: transactionId })
}
