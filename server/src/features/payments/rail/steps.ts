import { Type } from 'typebox'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { oneOf } from '../../../infra/http/schema/wire-schema.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { manualRails, type RailOrder, type Rails } from '../../../providers/rails/rails.ts'
import {
  quotePayout,
  quotePull,
  transferIn,
  transferOut,
  type CollectionStep,
  type PayoutStep,
  type PullStep,
} from '../../../providers/rails/sandbox-outcomes.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'

/** What may happen to a payment out once it was accepted. */
export type PaymentStep = PayoutStep | PullStep | HandOverStep

/** A payment to a UMA address whose money is here: from now on it is somebody else's to report on. */
export type HandOverStep = Readonly<{ afterSeconds: number; event: 'handOver' }>

const HANDED_OVER: HandOverStep = { afterSeconds: 0, event: 'handOver' }

/** The uma feature, which finds the receiver behind the address, handles it. */
export const handOverJob = defineJob(
  'uma.handOver',
  Type.Object({ transactionId: jobId('transaction') }),
)

const sandboxRails: Rails<PaymentStep, CollectionStep> = {
  pay({ kind, pull, payout }) {
    const suffix = payout?.paymentSuffix ?? undefined
    const delivery = kind === 'quote' ? quotePayout(suffix) : transferOut(suffix)
    if (!pull) return delivery
    const pulled = quotePull(pull.paymentSuffix ?? undefined)
    return pulled.some(({ event }) => event === 'fail') ? pulled : [...pulled, ...delivery]
  },
  collect: ({ paymentSuffix }) => transferIn(paymentSuffix ?? undefined),
}

const isSandbox = (environment: Environment): boolean =>
  providerKindFor({ environment }, 'rails') === 'sandbox'

export const railsOf = (environment: Environment): Rails<PaymentStep, CollectionStep> =>
  isSandbox(environment) ? sandboxRails : manualRails

/** What will become of a payment by itself. What stays inside needs no rail and is delivered at once. */
export function stepsOf(environment: Environment, order: RailOrder): readonly PaymentStep[] {
  if (!order.pull && !order.payout) return [{ afterSeconds: 0, event: 'complete' }]
  return railsOf(environment).pay(order)
}

/** To a UMA address: handed over once the money is here; a pull by hand, when the operator says that it is done. */
export function stepsToUma(environment: Environment, { pull }: RailOrder): readonly PaymentStep[] {
  if (!pull) return [HANDED_OVER]
  if (!isSandbox(environment)) return []
  const pulled = quotePull(pull.paymentSuffix ?? undefined)
  return pulled.some(({ event }) => event === 'fail') ? pulled : [...pulled, HANDED_OVER]
}

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
