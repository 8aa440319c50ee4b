import { Type } from '../infra/http/schema/type.ts'
import { parseId } from '../kernel/ids.ts'
import { amountFromWire } from '../kernel/money/wire-money.ts'
import { lane, type Operation } from '../infra/http/operation.ts'
import { amount, object, pathId } from '../infra/http/schema/wire-schema.ts'
import { InternalAccountSchema } from '../features/internal-accounts/index.ts'
import { deposit } from '../features/transactions/index.ts'

const AMOUNT_MAX = 100_000_000_000

/** Simulates a deposit to an account (IACC-13 to IACC-16). */
export const fundRoutes: readonly Operation[] = [
  lane({
    id: 'sandboxFundInternalAccount',
    path: '/sandbox/internal-accounts/{accountId}/fund',
    tag: 'Sandbox',
    needs: 'TRANSACT',
    summary: 'Fund an internal account',
    description: 'The money is there at once; it comes over the default rail of the currency.',
    params: Type.Object({
      accountId: pathId(
        'Id of the internal account, of a customer or the platform: `InternalAccount:<uuid>`.',
      ),
    }),
    body: object('SandboxFundRequest', {
      amount: amount({ maximum: AMOUNT_MAX }),
    }),
    example: { amount: 100_000 },
    replies: { 200: InternalAccountSchema },
    errors: [
      'REFERENCE_NOT_FOUND',
      'USER_NOT_FOUND',
      'USER_NOT_READY',
      'AMOUNT_OUT_OF_RANGE',
      'MISSING_MANDATORY_USER_INFO',
    ],
    command: deposit,
    input: ({ params, body }) => ({
      accountId: parseId('internalAccount', params.accountId),
      amount: amountFromWire(body.amount),
    }),
  }),
]
