import { amountToWire, gasToWire } from '../../kernel/money/wire-money.ts'
import { write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { estimateErrors, estimateWithdrawalFee } from './estimate-withdrawal-fee.ts'
import { EstimateRequestSchema, EstimateResponseSchema } from './schema.ts'

export const routes: readonly Operation[] = [
  write({
    id: 'estimateCryptoWithdrawalFee',
    method: 'POST',
    path: '/crypto/estimate-withdrawal-fee',
    tag: 'Cross-Currency Transfers',
    needs: 'VIEW',
    summary: 'Estimate what a withdrawal of coins costs',
    description: 'A payout of the same amount while the rate holds is charged exactly this.',
    body: EstimateRequestSchema,
    example: {
      internalAccountId: 'InternalAccount:0199e7a5-0000-7000-8000-000000000001',
      currency: 'USDC',
      cryptoNetwork: 'SOLANA',
      amount: 1_000_000,
      destinationAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
    replies: { 200: EstimateResponseSchema },
    errors: [
      'REFERENCE_NOT_FOUND',
      'INVALID_CURRENCY',
      'AMOUNT_OUT_OF_RANGE',
      'QUOTE_REQUEST_FAILED',
    ],
    check: ({ body }, caller) => estimateErrors(Object(body), caller),
    handler: async ({ work, body }) => {
      const fee = await estimateWithdrawalFee(work, body)
      return reply(200, {
        networkFee: gasToWire(fee.networkFee),
        networkFeeAsset: fee.networkFeeAsset,
        applicationFee: amountToWire(fee.applicationFee),
        totalFee: amountToWire(fee.totalFee),
        netAmount: amountToWire(fee.netAmount),
      })
    },
  }),
]
