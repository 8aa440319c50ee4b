import type { Static } from 'typebox'
import { Type } from '../../infra/http/schema/type.ts'
import { amount, idField, object } from '../../infra/http/schema/wire-schema.ts'

export const EstimateRequestSchema = object('EstimateCryptoWithdrawalFeeRequest', {
  internalAccountId: idField('internalAccount', 'The account that the coins leave.'),
  currency: Type.String({ pattern: '^[A-Z]{3,5}$', description: 'The coin.' }),
  cryptoNetwork: Type.String({ description: 'The network over which they leave.' }),
  amount: amount({ description: 'What leaves the account, fees included.' }),
  destinationAddress: Type.String({ minLength: 1, description: 'Where they go on that network.' }),
})

export type EstimateRequest = Static<typeof EstimateRequestSchema>

const smallestUnits = (description: string) => Type.Integer({ minimum: 0, description })

export const EstimateResponseSchema = object('EstimateCryptoWithdrawalFeeResponse', {
  networkFee: smallestUnits('What the network takes, in the smallest unit of its own asset.'),
  networkFeeAsset: Type.String({ description: 'That asset, as in SOL.' }),
  applicationFee: smallestUnits('What the service takes beside it, in the coin.'),
  totalFee: smallestUnits('Both, in the coin.'),
  netAmount: smallestUnits('What arrives.'),
})
