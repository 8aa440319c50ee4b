import { Type, type Static } from '../../infra/http/schema/type.ts'
import { amount, idField, object } from '../../infra/http/schema/wire-schema.ts'

export const EstimateRequestSchema = object('EstimateCryptoWithdrawalFeeRequest', {
  internalAccountId: idField('internalAccount'),
  currency: Type.String({ pattern: '^[A-Z]{3,5}$' }),
  cryptoNetwork: Type.String(),
  amount: amount(),
  destinationAddress: Type.String({ minLength: 1 }),
})

export type EstimateRequest = Static<typeof EstimateRequestSchema>

const smallestUnits = Type.Integer({ minimum: 0 })

export const EstimateResponseSchema = object('EstimateCryptoWithdrawalFeeResponse', {
  networkFee: smallestUnits,
  networkFeeAsset: Type.String(),
  applicationFee: smallestUnits,
  totalFee: smallestUnits,
  netAmount: smallestUnits,
})
