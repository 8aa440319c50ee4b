/** What a provider says about an order: in a report, in the answer to it, and when it is asked. */
import { Type, type Static, type TProperties } from '../../../infra/http/schema/type.ts'
import { object, oneOf, taggedUnion, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { REFUSAL_REASONS } from './reasons.ts'
import {
  AmountSchema,
  batchOf,
  orderId,
  outsideId,
  OutsideFeeSchema,
  ProofsSchema,
  variant,
} from './values.ts'

const reason = Type.String({
  minLength: 1,
  maxLength: 200,
  description: `${REFUSAL_REASONS.join(', ')}; any other counts as OTHER.`,
})

const common = {
  reference: Type.Optional(outsideId("The provider's own, the same in all it says.")),
  proofs: Type.Optional(ProofsSchema),
  fees: Type.Optional(Type.Array(OutsideFeeSchema, { maxItems: 20 })),
}

/** What each state holds beside the head, in an answer as in a report. */
const byState = {
  ACCEPTED: {
    operationState: Type.Optional(oneOf(['WAITING', 'PROCESSING'])),
    providerStatus: Type.Optional(Type.String()),
    fundingInstructions: Type.Optional(
      Type.Object(
        { rail: Type.String() },
        {
          additionalProperties: Type.String(),
          description: 'Of a mint or burn that waits for funds: where they are to be sent.',
        },
      ),
    ),
    expectedSettlementAt: Type.Optional(timestamp()),
  },
  SENT: { expectedSettlementAt: Type.Optional(timestamp()) },
  SETTLED: { amount: AmountSchema },
  DECIDED: {},
  RETURNED: {
    amount: AmountSchema,
    returnId: outsideId('Unique per order.'),
    reason: Type.Optional(reason),
  },
  FAILED: { reason },
  CANCELLED: {},
} satisfies Record<string, TProperties>

type ReportState = keyof typeof byState

const REPORT_STATES = Object.keys(byState) as ReportState[]

const reportHead = {
  orderId,
  sequence: Type.Integer({ minimum: 1, maximum: 1_000_000, description: '1, 2, 3 … per order.' }),
  at: timestamp('Not more than 300 s ahead of real time.'),
}

const reportOf = <const S extends ReportState>(state: S) =>
  variant({ state: oneOf([state]), ...reportHead, ...common }, byState[state])

/** One report (PROV-60). `DECIDED` also holds the decision of the order's type. */
export const ReportSchema = taggedUnion({ name: 'Report', tag: 'state', shared: reportHead }, [
  reportOf('ACCEPTED'),
  reportOf('SENT'),
  reportOf('SETTLED'),
  reportOf('DECIDED'),
  reportOf('RETURNED'),
  reportOf('FAILED'),
  reportOf('CANCELLED'),
])

export type ReportBody = Static<typeof ReportSchema>

export const ReportBatchSchema = object('ReportBatch', { reports: batchOf(ReportSchema) })

const answerOf = <const S extends 'SENT' | 'SETTLED' | 'DECIDED'>(state: S) =>
  variant({ state: oneOf([state]), ...common }, byState[state])

/** A 2xx to `POST {url}/orders` (PROV-43); anything else is no answer. */
export const AnswerSchema = taggedUnion({ name: 'Answer', tag: 'state' }, [
  Type.Object({
    state: oneOf(['ACCEPTED']),
    ...common,
    reference: outsideId(),
    ...byState.ACCEPTED,
  }),
  answerOf('SENT'),
  answerOf('SETTLED'),
  answerOf('DECIDED'),
  Type.Object({ state: oneOf(['REFUSED']), ...common, reason }),
])

export type AnswerBody = Static<typeof AnswerSchema>

/** 200 to `GET {url}/orders/{id}` (PROV-45). */
export const AskAnswerSchema = object('AskAnswer', {
  id: orderId,
  state: oneOf([...REPORT_STATES, 'REFUSED']),
  reference: Type.Optional(outsideId()),
  reason: Type.Optional(reason),
  sequence: Type.Integer({ minimum: 0, description: 'Of the last report; 0 before the first.' }),
  reports: Type.Array(ReportSchema, { description: 'All reports of the order, in order.' }),
})

/** 404 to `GET {url}/orders/{id}`: the order never arrived (PROV-46). Any other 404 is no answer. */
export const NotFoundAnswerSchema = object('NotFoundAnswer', {
  state: oneOf(['NOT_FOUND']),
  id: orderId,
})

/** 200 to `POST {url}/orders/{id}/cancel` (PROV-50). */
export const CancelAnswerSchema = object('CancelAnswer', {
  state: oneOf([...REPORT_STATES, 'REFUSED']),
})

const RESULTS = ['APPLIED', 'DUPLICATE', 'WAITING', 'EXCEPTION', 'REJECTED'] as const

/** What became of one item of a batch, at its index (PROV-28). */
const ResultSchema = object('Result', {
  result: oneOf(RESULTS),
  exceptionId: Type.Optional(Type.String()),
  code: Type.Optional(Type.String({ description: 'With `REJECTED`: of the error catalogue.' })),
  message: Type.Optional(Type.String()),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  depositStatus: Type.Optional(
    oneOf(['PENDING', 'DROPPED', 'TAKEN', 'HELD', 'UNATTRIBUTED', 'RETURNING', 'RETURNED']),
  ),
  reason: Type.Optional(Type.String()),
  transactionId: Type.Optional(Type.String()),
})

export const ResultsSchema = object('Results', { results: Type.Array(ResultSchema) })
