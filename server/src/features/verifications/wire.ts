import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { VerificationBody } from './schema.ts'
import type { Verification } from './verification.ts'

export const verificationToWire = (verification: Verification): VerificationBody => ({
  id: formatId('verification', verification.id),
  customerId: formatId('customer', verification.customerId),
  verificationStatus: verification.status,
  errors: [...verification.errors],
  createdAt: toWireTime(verification.createdAt),
  updatedAt: toWireTime(verification.updatedAt),
})
