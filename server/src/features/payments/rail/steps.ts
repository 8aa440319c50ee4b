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

/** What may happen to a payment out after its acceptance. */
export type PaymentStep =
  | (PayoutStep & { returned?: PartlyReturned })
  | PullStep
  | HandOverStep
  | OrderStep

/** The money of a payment to a UMA address has arrived; the receiver's provider reports the rest. */
export type HandOverStep = Readonly<{ afterSeconds: number; event: 'handOver' }>

/** A leg is ordered from a provider outside, whose reports are its next steps. */
export type OrderStep = Readonly<{ afterSeconds: number; event: 'order'; leg: 'PULL' | 'PAYOUT' }>

const HANDED_OVER: HandOverStep = { afterSeconds: 0, event: 'handOver' }
const ordered = (leg: OrderStep['leg']): OrderStep => ({ afterSeconds: 0, event: 'order', leg })

/** Handled by the uma feature, which finds the receiver behind the address. */
export const handOverJob = defineJob(
  'uma.handOver',
  Type.Object({ transactionId: jobId('transaction') }),
)

type RailRequest = Readonly<{ ports: Ports; order: RailOrder }>

/** Whether these steps complete the pull, so that the payout may begin. */
const isPulled = (steps: readonly PaymentStep[]): boolean =>
  steps.some(({ event }) => event === 'pull')

/** The sandbox plans the steps of a pull; the operator and providers outside report them later. */
function stepsOfPull({ ports, order: { pull } }: RailRequest): readonly PaymentStep[] {
  if (!pull) return []
  const kind = ports.providerOf(pull.query)?.kind
  if (kind === 'http') return [ordered('PULL')]
  return kind === 'sandbox' ? quotePull(pull.paymentSuffix ?? undefined) : []
}

function stepsOfPayout({ ports, order: { kind, payout } }: RailRequest): readonly PaymentStep[] {
  if (!payout) return [{ afterSeconds: 0, event: 'complete' }]
  const provider = ports.providerOf(payout.query)?.kind
  if (provider === 'http') return [ordered('PAYOUT')]
  if (provider !== 'sandbox') return []
  const suffix = payout.paymentSuffix ?? undefined
  return kind === 'quote' ? quotePayout(suffix) : transferOut(suffix)
}

/** The steps to an account. A payment that stays inside needs no rail and is delivered at once. */
export const stepsOf = (asked: RailRequest): readonly PaymentStep[] =>
  afterPull(asked, stepsOfPayout)

/** The steps to a UMA address: handed over once the money has arrived. */
const stepsToUma = (asked: RailRequest): readonly PaymentStep[] =>
  afterPull(asked, () => [HANDED_OVER])

/** Plans the steps of a payment by its destination. */
export const planSteps = (
  { kind }: Pick<ReceivingSide, 'kind'>,
  asked: RailRequest,
): readonly PaymentStep[] => (kind === 'uma' ? stepsToUma(asked) : stepsOf(asked))

function afterPull(
  asked: RailRequest,
  next: (asked: RailRequest) => readonly PaymentStep[],
): readonly PaymentStep[] {
  const pull = stepsOfPull(asked)
  const isOver = !asked.order.pull || isPulled(pull)
  return isOver ? [...pull, ...next(asked)] : pull
}

/** The sandbox plans the steps of a transfer-in; all other rails report them later. */
export const stepsOfCollection = (
  ports: Ports,
  { query, paymentSuffix }: RailLeg,
): readonly CollectionStep[] =>
  ports.providerOf(query)?.kind === 'sandbox' ? transferIn(paymentSuffix ?? undefined) : []

/** Splits steps into those due together with the first, and later ones. */
export function splitSteps<S extends Readonly<{ afterSeconds: number }>>(
  steps: readonly S[],
): Readonly<{ due: readonly S[]; later: readonly S[] }> {
  const [first] = steps
  const isDue = ({ afterSeconds }: S): boolean => afterSeconds === first?.afterSeconds
  return { due: steps.filter(isDue), later: steps.filter((step) => !isDue(step)) }
}

const afterSeconds = Type.Number()
const refund = Type.Object({ reason: Type.String(), ends: oneOf(['COMPLETED', 'FAILED']) })

/** A step of a payment out or of a transfer-in, by the type of the transaction. */
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

/** Queues one job for steps that are timed from `takenAt`; it is due with the first of them. */
export function enqueueSteps(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { transactionId, steps, takenAt }: SettleJob & Readonly<{ takenAt: Date }>,
): void {
  const [first] = steps
  if (!first) return
  const dueAt = addMs(takenAt, first.afterSeconds * SECOND_MS)
  enqueue(work, settleTransactionJob, { transactionId, steps }, { dueAt, key: transactionId })
}
