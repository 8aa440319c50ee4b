/**
 * Sandbox magic values (chapter 30, section 8): the last three characters of an account's identifier decide outcomes.
 * PRODUCTION ignores them.
 */
import { magicValues } from '../../../kernel/text/magic-value.ts'

/** Suffixes that decide the outcome of a payment (chapter 31, section 9.3). */
export const PAYMENT_SUFFIXES = ['002', '003', '004', '005', '006', '007'] as const
export type PaymentSuffix = (typeof PAYMENT_SUFFIXES)[number]

/** Suffixes that decide the name check at creation. */
const VERIFICATION_BY_SUFFIX = {
  '102': 'NOT_MATCHED',
  '103': 'PARTIAL_MATCH',
  '104': 'PENDING',
  '105': 'INVALID_ACCOUNT',
  '106': 'UNSUPPORTED',
  '107': 'CHECKED_BY_RECEIVING_FI',
} as const

const IDENTIFIER = 'identifier: account number, IBAN, address …; before the @'

export const MAGIC_ACCOUNTS = magicValues(
  {
    object: 'external account, a bank’s',
    field: IDENTIFIER,
    operation: 'createPlatformExternalAccount',
  },
  Object.entries(VERIFICATION_BY_SUFFIX),
  (status) =>
    status === 'INVALID_ACCOUNT'
      ? 'refused with INVALID_BANK_ACCOUNT'
      : `beneficiaryVerificationStatus ${status}`,
)

export type VerificationSuffix = keyof typeof VERIFICATION_BY_SUFFIX
export type SandboxVerification = (typeof VERIFICATION_BY_SUFFIX)[VerificationSuffix] | 'MATCHED'

/** The last three characters, before the `@` if there is one. */
function lastThree(identifier: string): string {
  const user = identifier.split('@', 1)[0] as string
  return user.slice(-3)
}

/** The outcome of sandbox payments from or to this account; undefined succeeds. */
export function paymentSuffix(identifier: string): PaymentSuffix | undefined {
  const end = lastThree(identifier)
  return PAYMENT_SUFFIXES.find((suffix) => suffix === end)
}

/** The result of the sandbox's name check of a fiat account. */
export function sandboxVerification(identifier: string): SandboxVerification {
  const end = lastThree(identifier)
  return Object.hasOwn(VERIFICATION_BY_SUFFIX, end)
    ? VERIFICATION_BY_SUFFIX[end as VerificationSuffix]
    : 'MATCHED'
}

/** A magic identifier cannot satisfy check digits and alphabets, so those checks are skipped. */
export function hasSandboxSuffix(identifier: string): boolean {
  return (
    paymentSuffix(identifier) !== undefined ||
    Object.hasOwn(VERIFICATION_BY_SUFFIX, lastThree(identifier))
  )
}
