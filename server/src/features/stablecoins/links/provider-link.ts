/** A platform's link to an issuance provider (on the wire: StablecoinProviderAccount), and its credentials. */
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { IssuerCredentials } from '../../../providers/stablecoin-issuer.ts'
import type { LinkStatus } from '../machine.ts'

export const PROVIDERS = ['BRALE'] as const
export type Provider = (typeof PROVIDERS)[number]

export type ProviderLink = Readonly<{
  id: Id<'stablecoinProviderAccount'>
  provider: Provider
  providerAccountId: string
  status: LinkStatus
  /** The registered provider that verified it and alone gets its credentials (PROV-130). Null: the sandbox's own. */
  servedBy: Id<'provider'> | null
  lastVerifiedAt: Date
  createdAt: Date
  updatedAt: Date
}>

/** A link with its sealed credentials, for calls to the provider. */
export type SealedLink = ProviderLink & Readonly<{ credentials: Buffer }>

const PURPOSE = 'stablecoin-provider-credentials'

export function sealCredentials(
  keyring: Keyring,
  id: Id<'stablecoinProviderAccount'>,
  { apiClientId, apiClientSecret }: IssuerCredentials,
): Buffer {
  return seal(keyring, PURPOSE, JSON.stringify({ apiClientId, apiClientSecret }), id)
}

export function openCredentials(keyring: Keyring, link: SealedLink): IssuerCredentials {
  const text = unseal(keyring, PURPOSE, link.credentials, link.id).toString('utf8')
  return JSON.parse(text) as IssuerCredentials
}
