import { fail, failFields } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type {
  IssuerCredentials,
  VerificationRequest,
} from '../../../providers/stablecoin-issuer.ts'
import { askIssuer, type ServingIssuer } from '../issuer/issuer.ts'

export type VerifiedAccount = Readonly<{
  credentials: IssuerCredentials
  servedBy: Id<'provider'> | null
  providerAccountId: string
  verifyAgainAfterMs: number | undefined
}>

/**
 * Asks the provider whether it accepts the credentials, and for which of its accounts (STBL-3, STBL-5).
 * Fails: STABLECOIN_PROVIDER_ACCOUNT_INVALID, INVALID_INPUT on `providerAccountId` where it has to be chosen from
 * several or is none of them, SERVICE_UNAVAILABLE.
 */
export async function verifyCredentials(
  { issuer, servedBy }: ServingIssuer,
  request: Omit<VerificationRequest, 'elapsedMs'>,
): Promise<VerifiedAccount> {
  const { credentials, providerAccountId: named } = request
  const verification = await askIssuer(issuer.verifyCredentials({ ...request, elapsedMs: 0 }))
  if (verification.verdict !== 'accepted') return fail('STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  const { accountIds, verifyAgainAfterMs } = verification
  const providerAccountId = named ?? (accountIds.length === 1 ? accountIds[0] : undefined)
  if (providerAccountId === undefined || !accountIds.includes(providerAccountId)) {
    const message = `must be one of ${accountIds.join(', ')}`
    return failFields([{ field: 'providerAccountId', constraint: { enum: accountIds }, message }])
  }
  return { credentials, servedBy, providerAccountId, verifyAgainAfterMs }
}
