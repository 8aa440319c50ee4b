import type { ErrorCode } from '../../kernel/errors.ts'
import { lane, type Operation } from '../../infra/http/operation.ts'
import { TransactionSchema } from '../transactions/index.ts'
import { TransferInRequestSchema, TransferOutRequestSchema } from './schema.ts'
import { transferIn } from './transfer-in.ts'
import { transferOut } from './transfer-out.ts'

const tag = 'Same-Currency Transfers'

const COMMON: readonly ErrorCode[] = [
  'REFERENCE_NOT_FOUND',
  'USER_NOT_FOUND',
  'INVALID_CURRENCY',
  'INVALID_BANK_ACCOUNT',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'MISSING_MANDATORY_USER_INFO',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'AMOUNT_OUT_OF_RANGE',
]

const INTERNAL = 'InternalAccount:0199e7a5-0000-7000-8000-000000000001'
const EXTERNAL = 'ExternalAccount:0199e7a5-0000-7000-8000-000000000002'

export const routes: readonly Operation[] = [
  lane({
    id: 'createTransferIn',
    path: '/transfer-in',
    tag,
    needs: 'TRANSACT',
    summary: 'Pull money in',
    description: 'From an external account into an internal one of the same currency.',
    successor: '/quotes',
    body: TransferInRequestSchema,
    example: {
      source: { accountId: EXTERNAL },
      destination: { accountId: INTERNAL },
      amount: 10_000,
    },
    replies: { 201: TransactionSchema },
    errors: COMMON,
    command: transferIn,
    input: ({ body }) => body,
  }),
  lane({
    id: 'createTransferOut',
    path: '/transfer-out',
    tag,
    needs: 'TRANSACT',
    summary: 'Send money out',
    description: 'From an internal account to an external one of the same currency.',
    successor: '/quotes',
    body: TransferOutRequestSchema,
    example: {
      source: { accountId: INTERNAL },
      destination: { accountId: EXTERNAL },
      amount: 12_550,
    },
    replies: { 201: TransactionSchema },
    errors: [
      ...COMMON,
      'INVALID_AMOUNT',
      'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
      'QUOTE_REQUEST_FAILED',
      'DAILY_VOLUME_LIMIT_EXCEEDED',
      'INSUFFICIENT_BALANCE',
      'CONFLICT',
    ],
    command: transferOut,
    input: ({ body }) => body,
  }),
]
